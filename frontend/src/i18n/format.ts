import type { Currency } from '@/api/types';
import { bcp47 } from './languages';
import { currentLanguage } from './texts';

// Thai would count years from the Buddha: contracts and statements here are Gregorian everywhere.
const gregorian = { calendar: 'gregory', numberingSystem: 'latn' } as const;

/** Intl takes decimal strings exactly; a float would round large amounts. */
function exact(amount: string): Intl.StringNumericLiteral {
  return amount as Intl.StringNumericLiteral;
}

export function formatMoney(amount: string, currency: Currency, sign = false): string {
  const digits = {
    minimumFractionDigits: currency.decimals,
    maximumFractionDigits: currency.decimals,
    signDisplay: sign ? 'exceptZero' : 'negative',
    numberingSystem: 'latn',
  } as const;
  const locale = bcp47(currentLanguage());
  if (!/^[A-Z]{3}$/.test(currency.code)) {
    // Tokens such as USDT have no ISO 4217 code, which Intl insists on.
    return `${new Intl.NumberFormat(locale, digits).format(exact(amount))} ${currency.code}`;
  }
  return new Intl.NumberFormat(locale, {
    ...digits,
    style: 'currency',
    currency: currency.code,
    currencyDisplay: 'narrowSymbol',
  }).format(exact(amount));
}

export function formatDecimal(amount: string): string {
  return new Intl.NumberFormat(bcp47(currentLanguage()), {
    numberingSystem: 'latn',
    maximumFractionDigits: 8,
  }).format(exact(amount));
}

/** A decimal with every digit it has, as many zeros as they may be. */
export function formatDigits(amount: string): string {
  const decimals = amount.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(bcp47(currentLanguage()), {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    numberingSystem: 'latn',
  }).format(exact(amount));
}

export function formatCount(count: number): string {
  return new Intl.NumberFormat(bcp47(currentLanguage()), { numberingSystem: 'latn' }).format(count);
}

/** 2 -> +2, -20 -> -20. */
export function formatChange(change: number): string {
  return new Intl.NumberFormat(bcp47(currentLanguage()), {
    signDisplay: 'exceptZero',
    numberingSystem: 'latn',
  }).format(change);
}

/** 52340 -> 52 kB. */
export function formatSize(bytes: number): string {
  return new Intl.NumberFormat(bcp47(currentLanguage()), {
    style: 'unit',
    unit: 'kilobyte',
    maximumFractionDigits: 0,
    numberingSystem: 'latn',
  }).format(Math.ceil(bytes / 1000));
}

export function formatPercent(rate: string): string {
  return new Intl.NumberFormat(bcp47(currentLanguage()), {
    style: 'percent',
    maximumFractionDigits: 2,
    numberingSystem: 'latn',
  }).format(exact(rate));
}

/** A change as a share of what was before, in whole percent: 0.124 -> +12%. */
export function formatShare(change: number): string {
  return new Intl.NumberFormat(bcp47(currentLanguage()), {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 0,
    numberingSystem: 'latn',
  }).format(change);
}

/** A difference of rates in percentage points: 0.0123 -> +1.23. */
export function formatPoints(rate: string): string {
  return new Intl.NumberFormat(bcp47(currentLanguage()), {
    signDisplay: 'exceptZero',
    maximumFractionDigits: 2,
    numberingSystem: 'latn',
  }).format(Number(rate) * 100);
}

export function formatDate(at: string, style: Intl.DateTimeFormatOptions['dateStyle'] = 'medium') {
  return new Intl.DateTimeFormat(bcp47(currentLanguage()), {
    ...gregorian,
    dateStyle: style,
  }).format(new Date(at));
}

export function formatDateTime(at: string): string {
  return new Intl.DateTimeFormat(bcp47(currentLanguage()), {
    ...gregorian,
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(new Date(at));
}

export function formatTime(at: string): string {
  return new Intl.DateTimeFormat(bcp47(currentLanguage()), {
    ...gregorian,
    timeStyle: 'medium',
  }).format(new Date(at));
}

/** `2026-11` -> November 2026. */
export function formatMonth(month: string): string {
  return new Intl.DateTimeFormat(bcp47(currentLanguage()), {
    ...gregorian,
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`));
}

/** `2026-11` -> Nov. */
export function formatShortMonth(month: string): string {
  return new Intl.DateTimeFormat(bcp47(currentLanguage()), {
    ...gregorian,
    month: 'short',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`));
}

export function formatShortTime(at: string): string {
  return new Intl.DateTimeFormat(bcp47(currentLanguage()), {
    ...gregorian,
    timeStyle: 'short',
  }).format(new Date(at));
}
