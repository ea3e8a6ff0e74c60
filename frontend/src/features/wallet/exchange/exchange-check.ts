import { compareDecimals, isPositive, shareOf } from '@/ui/money/decimal';

export type ExchangeProblem = 'required' | 'zero' | 'limit' | 'day' | 'balance' | 'small';

export type Terms = {
  available: string;
  /** The acceptor's, for one order. */
  limit: string;
  /** What is left of the user's day with the acceptor, where that is limited. */
  leftToday: string | null;
  rate: string;
  decimals: number;
};

/** What the acceptor pays out: never more than the rate gives, as the server counts it too. */
export function received(amount: string, { rate, decimals }: Pick<Terms, 'rate' | 'decimals'>) {
  return shareOf(amount || '0', rate, decimals);
}

/** As much as can be exchanged in one order now. */
export function mostOf({ available, limit, leftToday }: Terms): string {
  return [available, limit, leftToday ?? limit].sort(compareDecimals)[0] ?? '0';
}

/** What the form can tell before the server is asked. */
export function checkExchange(amount: string, terms: Terms): ExchangeProblem | null {
  if (amount === '') return 'required';
  if (!isPositive(amount)) return 'zero';
  if (compareDecimals(amount, terms.limit) > 0) return 'limit';
  if (terms.leftToday !== null && compareDecimals(amount, terms.leftToday) > 0) return 'day';
  if (compareDecimals(amount, terms.available) > 0) return 'balance';
  return isPositive(received(amount, terms)) ? null : 'small';
}
