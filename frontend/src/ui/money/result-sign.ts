import type { Tone } from '@/ui/display/StatusTag';
import { isPositive } from './decimal';

export type ResultSign = 'gain' | 'loss' | 'even';

/** For its word. */
export const resultTones: Record<ResultSign, Tone> = {
  gain: 'positive',
  loss: 'negative',
  even: 'neutral',
};

/** Of what a plan has brought, whatever its status is. */
export function signOf(amount: string): ResultSign {
  if (isPositive(amount)) return 'gain';
  return /[1-9]/.test(amount) ? 'loss' : 'even';
}

/** What to call it: a plan on which nothing was spent, such as a rejected one, has not broken even. */
export function resultWord(profit: string, consumed: string): ResultSign | 'unspent' {
  const sign = signOf(profit);
  return sign === 'even' && !isPositive(consumed) ? 'unspent' : sign;
}
