import { platformCurrency } from '@/api/queries/currency';
import { decimalsOf } from '@/i18n/format';

/**
 * Exact arithmetic on the contract's decimal strings, by way of bigint minor units: the platform's
 * currency's, unless other decimals are named.
 * A float never touches money: 0.1 + 0.2 must stay 0.3.
 */
const shape = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** `12.3` with 2 decimals -> 1230n; null when it is no decimal or has more decimals than that. */
export function toMinor(value: string, decimals = platformCurrency().decimals): bigint | null {
  const [, sign, whole = '', fraction = ''] = shape.exec(value.trim()) ?? [];
  if (sign === undefined || whole + fraction === '') return null;
  const kept = fraction.replace(/0+$/, '');
  if (kept.length > decimals) return null;
  const minor = BigInt(whole + kept.padEnd(decimals, '0'));
  return sign === '-' ? -minor : minor;
}

/** 1230n with 2 decimals -> `12.30`. */
export function fromMinor(minor: bigint, decimals = platformCurrency().decimals): string {
  const sign = minor < 0n ? '-' : '';
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  return sign + digits.slice(0, cut) + (decimals ? `.${digits.slice(cut)}` : '');
}

/** Enough for any currency and any rate of the contract. */
const fine = 18;

function fineUnits(value: string): bigint {
  const units = toMinor(value, fine);
  if (units === null) throw new RangeError(`not a decimal: ${value}`);
  return units;
}

/** Negative, zero or positive, as for sorting. */
export function compareDecimals(a: string, b: string): number {
  const difference = fineUnits(a) - fineUnits(b);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

export function isPositive(value: string): boolean {
  return compareDecimals(value, '0') > 0;
}

export function subtractDecimals(a: string, b: string): string {
  return cutAsBoth(fineUnits(a) - fineUnits(b), a, b);
}

export function addDecimals(a: string, b: string): string {
  return cutAsBoth(fineUnits(a) + fineUnits(b), a, b);
}

/** Cut to as many decimals as the operand that has more. */
function cutAsBoth(units: bigint, a: string, b: string): string {
  const decimals = Math.max(decimalsOf(a), decimalsOf(b));
  return fromMinor(units / 10n ** BigInt(fine - decimals), decimals);
}

/**
 * A share of a non-negative amount, rounded down to the platform's currency as the server rounds
 * what it takes.
 */
export function shareOf(
  amount: string,
  rate: string,
  decimals = platformCurrency().decimals,
): string {
  const unit = 10n ** BigInt(2 * fine - decimals);
  return fromMinor((fineUnits(amount) * fineUnits(rate)) / unit, decimals);
}

/**
 * A share with all digits, for shares that are taken from a sum of such amounts: 5 % of 3.10 is
 * 0.155.
 */
export function exactShareOf(amount: string, rate: string): string {
  const { decimals } = platformCurrency();
  const exact = fromMinor(fineUnits(amount) * fineUnits(rate), 2 * fine);
  const [whole = '0', digits = ''] = exact.replace(/0+$/, '').split('.');
  return decimals || digits ? `${whole}.${digits.padEnd(decimals, '0')}` : whole;
}

/** The ratio `a / b`, cut to this many decimals; null if `b` is zero. */
export function ratioOf(a: string, b: string, decimals: number): string | null {
  const whole = fineUnits(b);
  if (whole === 0n) return null;
  return fromMinor((fineUnits(a) * 10n ** BigInt(decimals)) / whole, decimals);
}

/**
 * Converts to a float, for the geometry of a chart only, where a pixel is coarser than any
 * rounding.
 */
export function toPlot(value: string): number {
  return Number(value);
}
