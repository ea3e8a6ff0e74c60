import type { Tone } from '@/ui/display/StatusTag';
import { isPositive } from './decimal';

export type ResultSign = 'gain' | 'loss' | 'even';

/** The tone of each sign's word. */
export const resultTones: Record<ResultSign, Tone> = {
  gain: 'positive',
  loss: 'negative',
  even: 'neutral',
};

/** The sign of a plan's result, whatever its status is. */
export function signOf(amount: string): ResultSign {
  if (isPositive(amount)) return 'gain';
  return /[1-9]/.test(amount) ? 'loss' : 'even';
}

/**
 * The word for a result. A plan on which nothing was spent, such as a rejected one, has not broken
 * even.
 */
export function resultWord(profit: string, consumed: string): ResultSign | 'unspent' {
  const sign = signOf(profit);
  return sign === 'even' && !isPositive(consumed) ? 'unspent' : sign;
}
