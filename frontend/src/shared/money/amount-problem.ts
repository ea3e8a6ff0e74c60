import type { ParseKeys } from 'i18next';
import { compareDecimals, isPositive } from '@/ui/money/decimal';

/** What is wrong with an amount of which there is so much; it is found without the server. */
export function amountProblem(
  amount: string,
  most: string | null,
  tooMuch: ParseKeys = 'wallet.problem.balance',
): ParseKeys | null {
  if (amount === '') return 'wallet.problem.required';
  if (!isPositive(amount)) return 'wallet.problem.zero';
  return most !== null && compareDecimals(amount, most) > 0 ? tooMuch : null;
}
