import { compareDecimals, isPositive, shareOf } from '@/ui/money/decimal';

type ExchangeProblem = 'required' | 'zero' | 'limit' | 'day' | 'balance' | 'small';

type Terms = {
  available: string;
  /** The acceptor's limit for one order. */
  limit: string;
  /** The amount that the user may still exchange today with this acceptor, if there is a limit. */
  leftToday: string | null;
  rate: string;
  decimals: number;
};

/** The amount that the acceptor pays, rounded down as on the server. */
export function received(amount: string, { rate, decimals }: Pick<Terms, 'rate' | 'decimals'>) {
  return shareOf(amount || '0', rate, decimals);
}

/** The most that can be exchanged in one order now. */
export function mostOf({ available, limit, leftToday }: Terms): string {
  return [available, limit, leftToday ?? limit].sort(compareDecimals)[0] ?? '0';
}

/** The problems that are found without the server. */
export function checkExchange(amount: string, terms: Terms): ExchangeProblem | null {
  if (amount === '') return 'required';
  if (!isPositive(amount)) return 'zero';
  if (compareDecimals(amount, terms.limit) > 0) return 'limit';
  if (terms.leftToday !== null && compareDecimals(amount, terms.leftToday) > 0) return 'day';
  if (compareDecimals(amount, terms.available) > 0) return 'balance';
  return isPositive(received(amount, terms)) ? null : 'small';
}
