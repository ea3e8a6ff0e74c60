import type { Property } from '@/api/types';
import { compareDecimals, isPositive } from '@/ui/money/decimal';

export type Direction = 'pay' | 'return';
export type DepositProblem = 'required' | 'zero' | 'balance' | 'deposit';

/** The most that can be moved: a deposit comes from available funds and returns there. */
export function mostOf(direction: Direction, property: Property): string {
  return direction === 'pay' ? property.available : property.deposit;
}

/** The problems that are found without the server. */
export function checkDeposit(
  direction: Direction,
  amount: string,
  property: Property,
): DepositProblem | null {
  if (amount === '') return 'required';
  if (!isPositive(amount)) return 'zero';
  if (compareDecimals(amount, mostOf(direction, property)) <= 0) return null;
  return direction === 'pay' ? 'balance' : 'deposit';
}
