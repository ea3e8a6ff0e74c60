import { platformCurrency } from '@/api/queries/currency';
import type { Currency } from '@/api/types';
import { bcp47 } from './languages';
import { withOwnBlank } from './own-blank';
import { currentLanguage } from './texts';

const latin = { numberingSystem: 'latn' } as const;
// Thai would use the Buddhist calendar; contracts and statements here are Gregorian everywhere.
const gregorian = { calendar: 'gregory', ...latin } as const;

/**
 * Caches one formatter for each language and format, because creating one takes a hundred times as
 * long as using it.
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
  (locale, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, { ...latin, ...options }),
);
const dates = keeping(
  (locale, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(withOwnClock(locale), { ...gregorian, ...options }),
);

/**
 * The locale with the hour cycle of the reader's region: 24 hours for a British reader of English,
 * 12 for an American.
 */
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
function written(value: string | number, options: Intl.NumberFormatOptions = {}): string {
  return numbers(options).format(value as Intl.StringNumericLiteral);
}

type Moment = string | number | Date;

function dated(at: Moment, options: Intl.DateTimeFormatOptions): string {
  return dates(options).format(new Date(at));
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

/** Intl requires ISO 4217, which has no code for tokens such as USDT. */
const isIso = (code: string) => /^[A-Z]{3}$/.test(code);

/** The currency with the sign that it has in its own country. */
const inCurrency = (currency: string) =>
  ({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' }) as const;

export function formatMoney(amount: string, look: MoneyLook = {}): string {
  const { currency = platformCurrency(), sign = false, finer = 0 } = look;
  const { places = currency.decimals } = look;
  const { code } = currency;
  const digits = {
    minimumFractionDigits: places,
    maximumFractionDigits: places + finer,
    signDisplay: sign ? 'exceptZero' : 'negative',
  } as const;
  if (!isIso(code)) return `${written(amount, digits)}\u00a0${code}`;
  return written(amount, { ...digits, ...inCurrency(code) });
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
  return written(amount, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** How the reader's language writes a number: its groups of three, and its decimals. */
export function numberMarks(): { group: string; decimal: string } {
  const parts = numbers({ useGrouping: true }).formatToParts(1234567.8);
  const mark = (type: 'group' | 'decimal') => parts.find((part) => part.type === type)?.value ?? '';
  return { group: mark('group'), decimal: mark('decimal') };
}

/** The signs for a currency in the reader's language, and its name: $, US$ and US dollars. */
export function currencyNames(code: string): string[] {
  if (!isIso(code)) return [];
  return (['symbol', 'narrowSymbol', 'name'] as const).map(
    (currencyDisplay) =>
      numbers({ style: 'currency', currency: code, currencyDisplay })
        .formatToParts(0)
        .find((part) => part.type === 'currency')?.value ?? code,
  );
}

export function formatCount(count: number): string {
  return written(count);
}

/** Counts are numbers, and amounts of money are decimals. */
export function formatFigure(value: number | string): string {
  return typeof value === 'number' ? formatCount(value) : formatMoney(value);
}

type MarkKind = 'count' | 'money' | 'percent';

/**
 * Formats the marks of a scale, where there is little room: 1.2K. Marks of one unit have the same
 * number of decimals. Those of money have the currency's sign if there is one, and all of its
 * decimals if they have any: $0.50, $1.00.
 */
export function formatMarks(marks: readonly number[], kind: MarkKind): string[] {
  const { code, decimals } = platformCurrency();
  const look: Intl.NumberFormatOptions = {
    ...(kind === 'percent' ? { style: 'percent' } : { notation: 'compact' }),
    ...(kind === 'money' && isIso(code) && inCurrency(code)),
  };
  const most = Math.max(3, decimals);
  const exact = numbers({ ...look, minimumFractionDigits: 0, maximumFractionDigits: most });
  const read = marks.map((mark) => {
    const parts = exact.formatToParts(mark);
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
    return { mark, unit: part('compact'), places: part('fraction').length };
  });
  return read.map(({ mark, unit }) => {
    const alike = read.filter((one) => one.unit === unit).map(({ places }) => places);
    const needed = Math.max(...alike);
    const places = kind === 'money' && !unit && needed ? Math.max(needed, decimals) : needed;
    return written(mark, { ...look, minimumFractionDigits: places, maximumFractionDigits: most });
  });
}

/** 2 -> +2, -20 -> -20. */
export function formatChange(change: number): string {
  return written(change, { signDisplay: 'exceptZero' });
}

/** 52340 -> 52 kB. */
export function formatSize(bytes: number): string {
  const options = { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 } as const;
  return written(Math.ceil(bytes / 1000), options);
}

const spans = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A length of time in its largest whole unit, rounded up: 90 minutes are 2 hours. */
export function formatSpan(seconds: number): string {
  const [unit, length] = spans.find(([, length]) => seconds >= length) ?? spans[2];
  const count = Math.max(1, Math.ceil(seconds / length));
  return withOwnBlank(
    written(count, { style: 'unit', unit, unitDisplay: 'long' }),
    currentLanguage(),
  );
}

/** The text in place of a figure whose divisor is zero. */
export const noFigure = '–';

export function formatPercent(rate: string | null): string {
  if (rate === null) return noFigure;
  return written(rate, { style: 'percent', maximumFractionDigits: 2 });
}

const changed = { style: 'percent', signDisplay: 'exceptZero' } as const;

/** A relative change in whole per cent: 0.124 -> +12%. */
export function formatShare(change: number): string {
  return written(change, { ...changed, maximumFractionDigits: 0 });
}

/** A return on what was spent, with one decimal: -0.0731 -> -7.3%. */
export function formatReturn(ratio: string | null): string {
  if (ratio === null) return noFigure;
  return written(ratio, { ...changed, minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** A part's share of a whole, with one decimal as the other parts have: 0.03 -> 3.0%. */
export function formatPart(share: string): string {
  return written(share, {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
}

/** A difference of rates in percentage points: 0.0123 -> +1.23. */
export function formatPoints(rate: string): string {
  return written(Number(rate) * 100, { signDisplay: 'exceptZero', maximumFractionDigits: 2 });
}

export function formatDate(at: Moment, dateStyle: 'medium' | 'full' = 'medium'): string {
  return dated(at, { dateStyle });
}

export function formatDateTime(at: Moment): string {
  return dated(at, { dateStyle: 'medium', timeStyle: 'short' });
}

export function formatTime(at: string): string {
  return dated(at, { timeStyle: 'medium' });
}

/** A name that many languages write in lower case, where it is a label: décembre -> Décembre. */
const alone = ([first = '', ...rest]: string) => first.toUpperCase() + rest.join('');

/** A day of a week that begins on Monday. */
export function formatWeekday(day: number): string {
  return alone(dated(Date.UTC(2024, 0, 1 + day), { weekday: 'long', timeZone: 'UTC' }));
}

/** The beginning of an hour of the day. */
export function formatHour(hour: number): string {
  return dated(hour * 3_600_000, { timeStyle: 'short', timeZone: 'UTC' });
}

const shortDay = { day: 'numeric', month: 'short' } as const;

/** 12 Nov: a day of a chart. */
export function formatShortDate(at: string): string {
  return dated(at, shortDay);
}

/** `2026-11-05` -> 5 Nov 2026: a day of UTC, wherever the reader is. */
export function formatUtcDay(day: string): string {
  return dated(`${day}T00:00:00Z`, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** `2026-11-05` -> 5 Nov. */
export function formatShortUtcDay(day: string): string {
  return dated(`${day}T00:00:00Z`, { ...shortDay, timeZone: 'UTC' });
}

/** `2026-11` -> November 2026. */
export function formatMonth(month: string): string {
  const options = { year: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  return alone(dated(`${month}-01T00:00:00Z`, options));
}

/** `2026-11` -> Nov. */
export function formatShortMonth(month: string): string {
  return dated(`${month}-01T00:00:00Z`, { month: 'short', timeZone: 'UTC' });
}

export function formatShortTime(at: Moment): string {
  return dated(at, { timeStyle: 'short' });
}

/** Hour and minute if it is today, otherwise with the date. */
export function formatAsOf(at: number): string {
  const today = new Date(at).toDateString() === new Date().toDateString();
  return today ? formatShortTime(at) : formatDateTime(at);
}

/** A stretch by its two ends, or what both are. */
export function formatRange(first: string, last: string): string {
  return first === last ? first : `${first} – ${last}`;
}

/** The name that Intl has for a region, a language or a currency; else its code. */
export function nameOf(type: 'region' | 'language' | 'currency', code: string): string {
  return new Intl.DisplayNames(bcp47(currentLanguage()), { type }).of(code) ?? code;
}
