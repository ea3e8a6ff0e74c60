import { platformCurrency } from '@/api/queries/currency';
import type { Currency } from '@/api/types';
import { bcp47 } from './languages';
import { currentLanguage } from './texts';

// Thai would use the Buddhist calendar; contracts and statements here are Gregorian everywhere.
const gregorian = { calendar: 'gregory', numberingSystem: 'latn' } as const;

/**
 * One formatter for each language and format: creating one takes a hundred times as long as using
 * it.
 */
function keeping<O extends object, F>(make: (locale: string, options: O) => F) {
  const made = new Map<string, F>();
  return (options: O): F => {
    const locale = bcp47(currentLanguage());
    const name = locale + JSON.stringify(options);
    const known = made.get(name) ?? make(locale, options);
    made.set(name, known);
    return known;
  };
}

const numbers = keeping(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
const dates = keeping(
  (locale, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(withOwnClock(locale), options),
);

/** With the hours of the reader's region: 24 for a British reader of English, 12 for an American. */
function withOwnClock(locale: string): string {
  const own = navigator.language;
  if (own.split('-')[0] !== locale.split('-')[0]) return locale;
  try {
    const { hourCycle } = new Intl.DateTimeFormat(own, { hour: 'numeric' }).resolvedOptions();
    return `${locale}-u-hc-${hourCycle}`;
  } catch {
    // Some browsers say what no standard knows, such as "en-US@posix".
    return locale;
  }
}

/** Intl formats decimal strings exactly; a float would round large amounts. */
function exact(amount: string): Intl.StringNumericLiteral {
  return amount as Intl.StringNumericLiteral;
}

type MoneyLook = {
  /** Otherwise the platform's. */
  currency?: Currency;
  /** Otherwise the currency's. */
  places?: number;
  /** How many decimals more are shown if there are as many. */
  finer?: number;
  /** Shows + as well as -. */
  sign?: boolean;
};

export function formatMoney(amount: string, look: MoneyLook = {}): string {
  const { currency = platformCurrency(), sign = false, finer = 0 } = look;
  const { places = currency.decimals } = look;
  const digits = {
    minimumFractionDigits: places,
    maximumFractionDigits: places + finer,
    signDisplay: sign ? 'exceptZero' : 'negative',
    numberingSystem: 'latn',
  } as const;
  if (!/^[A-Z]{3}$/.test(currency.code)) {
    // Tokens such as USDT have no ISO 4217 code, which Intl requires.
    return `${numbers(digits).format(exact(amount))} ${currency.code}`;
  }
  return numbers({
    ...digits,
    style: 'currency',
    currency: currency.code,
    currencyDisplay: 'narrowSymbol',
  }).format(exact(amount));
}

/** A price can be a part of the currency's smallest unit: 0.00240 -> $0.0024. */
export function formatPrice(amount: string): string {
  return formatMoney(amount, { finer: 3 });
}

/** How many decimals are written. */
export function decimalsOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}

/** A decimal with all its digits, including trailing zeros. */
export function formatDigits(amount: string): string {
  const decimals = decimalsOf(amount);
  return numbers({
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    numberingSystem: 'latn',
  }).format(exact(amount));
}

/** How the reader's language writes a number: its groups of three, and its decimals. */
export function numberMarks(): { group: string; decimal: string } {
  const parts = numbers({ numberingSystem: 'latn', useGrouping: true }).formatToParts(1234567.8);
  const mark = (type: 'group' | 'decimal') => parts.find((part) => part.type === type)?.value ?? '';
  return { group: mark('group'), decimal: mark('decimal') };
}

/** The signs for a currency in the reader's language: $ and US$. */
export function currencyNames(code: string): string[] {
  if (!/^[A-Z]{3}$/.test(code)) return [];
  return (['symbol', 'narrowSymbol'] as const).map(
    (currencyDisplay) =>
      numbers({ style: 'currency', currency: code, currencyDisplay })
        .formatToParts(0)
        .find((part) => part.type === 'currency')?.value ?? code,
  );
}

export function formatCount(count: number): string {
  return numbers({ numberingSystem: 'latn' }).format(count);
}

/** Counts are numbers, and amounts of money are decimals. */
export function formatFigure(value: number | string): string {
  return typeof value === 'number' ? formatCount(value) : formatMoney(value);
}

/** For the marks of a scale, where there is little room: 1.2K; of money with its sign if there is one. */
export function formatMark(mark: number, money: boolean): string {
  const { code } = platformCurrency();
  return numbers({
    notation: 'compact',
    maximumFractionDigits: 3,
    numberingSystem: 'latn',
    ...(money &&
      /^[A-Z]{3}$/.test(code) && {
        style: 'currency',
        currency: code,
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: 0,
      }),
  }).format(mark);
}

/** 2 -> +2, -20 -> -20. */
export function formatChange(change: number): string {
  return numbers({
    signDisplay: 'exceptZero',
    numberingSystem: 'latn',
  }).format(change);
}

/** 52340 -> 52 kB. */
export function formatSize(bytes: number): string {
  return numbers({
    style: 'unit',
    unit: 'kilobyte',
    maximumFractionDigits: 0,
    numberingSystem: 'latn',
  }).format(Math.ceil(bytes / 1000));
}

const spans = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A length of time in its largest whole unit, rounded up: 90 minutes are 2 hours. */
export function formatSpan(seconds: number): string {
  const [unit, length] = spans.find(([, length]) => seconds >= length) ?? spans[2];
  return numbers({
    style: 'unit',
    unit,
    unitDisplay: 'long',
    numberingSystem: 'latn',
  }).format(Math.max(1, Math.ceil(seconds / length)));
}

export function formatPercent(rate: string): string {
  return numbers({
    style: 'percent',
    maximumFractionDigits: 2,
    numberingSystem: 'latn',
  }).format(exact(rate));
}

/** A relative change in whole per cent: 0.124 -> +12%. */
export function formatShare(change: number): string {
  return numbers({
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 0,
    numberingSystem: 'latn',
  }).format(change);
}

/** A return on what was spent, with one decimal: -0.0731 -> -7.3%. */
export function formatReturn(ratio: string): string {
  return numbers({
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 1,
    numberingSystem: 'latn',
  }).format(exact(ratio));
}

/** A difference of rates in percentage points: 0.0123 -> +1.23. */
export function formatPoints(rate: string): string {
  return numbers({
    signDisplay: 'exceptZero',
    maximumFractionDigits: 2,
    numberingSystem: 'latn',
  }).format(Number(rate) * 100);
}

export function formatDate(at: string, style: Intl.DateTimeFormatOptions['dateStyle'] = 'medium') {
  return dates({
    ...gregorian,
    dateStyle: style,
  }).format(new Date(at));
}

export function formatDateTime(at: string): string {
  return dates({
    ...gregorian,
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(new Date(at));
}

export function formatTime(at: string): string {
  return dates({
    ...gregorian,
    timeStyle: 'medium',
  }).format(new Date(at));
}

/** A day of a week that begins on Monday. */
export function formatWeekday(day: number): string {
  const monday = Date.UTC(2024, 0, 1);
  return dates({ ...gregorian, weekday: 'long', timeZone: 'UTC' }).format(
    new Date(monday + day * 86_400_000),
  );
}

/** The beginning of an hour of the day. */
export function formatHour(hour: number): string {
  return dates({ ...gregorian, timeStyle: 'short', timeZone: 'UTC' }).format(
    new Date(hour * 3_600_000),
  );
}

/** 12 Nov: a day of a chart. */
export function formatShortDate(at: string): string {
  return dates({
    ...gregorian,
    day: 'numeric',
    month: 'short',
  }).format(new Date(at));
}

/** `2026-11-05` -> 5 Nov 2026: a day of UTC, wherever the reader is. */
export function formatUtcDay(day: string): string {
  return dates({ ...gregorian, dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** `2026-11-05` -> 5 Nov. */
export function formatShortUtcDay(day: string): string {
  return dates({ ...gregorian, day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** `2026-11` -> November 2026. */
export function formatMonth(month: string): string {
  return dates({
    ...gregorian,
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`));
}

/** `2026-11` -> Nov. */
export function formatShortMonth(month: string): string {
  return dates({
    ...gregorian,
    month: 'short',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`));
}

export function formatShortTime(at: string): string {
  return dates({
    ...gregorian,
    timeStyle: 'short',
  }).format(new Date(at));
}

/** Hour and minute if it is today, otherwise with the date. */
export function formatAsOf(at: number): string {
  const then = new Date(at);
  const today = then.toDateString() === new Date().toDateString();
  return today ? formatShortTime(then.toISOString()) : formatDateTime(then.toISOString());
}
