import { compareDecimals, isPositive } from '@/ui/money/decimal';

export type WithdrawProblem = 'required' | 'zero' | 'balance';

/** The problems that are found without the server. */
export function checkWithdraw(amount: string, available: string): WithdrawProblem | null {
  if (amount === '') return 'required';
  if (!isPositive(amount)) return 'zero';
  return compareDecimals(amount, available) > 0 ? 'balance' : null;
}
