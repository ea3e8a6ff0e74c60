import type { ParseKeys } from 'i18next';
import { compareDecimals, isPositive } from '@/ui/money/decimal';

/** The problem of an amount, found without the server. `most` is the available amount. */
export function amountProblem(
  amount: string,
  most: string | null,
  tooMuch: ParseKeys = 'wallet.problem.balance',
): ParseKeys | null {
  if (amount === '') return 'wallet.problem.required';
  if (!isPositive(amount)) return 'wallet.problem.zero';
  return most !== null && compareDecimals(amount, most) > 0 ? tooMuch : null;
}
