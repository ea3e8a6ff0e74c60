import { isPositive } from './decimal';

export type ResultSign = 'gain' | 'loss' | 'even';

/** Of what a plan has brought, whatever its status is. */
export function signOf(amount: string): ResultSign {
  if (isPositive(amount)) return 'gain';
  return /[1-9]/.test(amount) ? 'loss' : 'even';
}
