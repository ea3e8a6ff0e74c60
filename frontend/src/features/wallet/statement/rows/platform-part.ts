import type { Flow } from '@/api/types';

/** What added to the user's money, if a line is not about the user's own. */
export function platformPart({ account, source }: Flow): 'coupon' | 'promotional' | null {
  if (account === 'promotional') return 'promotional';
  return source === 'coupon' || source === 'promotional' ? source : null;
}
