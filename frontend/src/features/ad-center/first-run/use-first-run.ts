import type { Statistics } from '@/api/types';
import { createSeenFlag } from '@/shared/account/seen-flag';

const away = createSeenFlag('firstSteps');

/** Whether the first steps are shown: until the first view is delivered, or they are put away. */
export function useFirstRun(all: Pick<Statistics, 'impressions'> | undefined): boolean {
  const isAway = away.use();
  return !isAway && all?.impressions === 0;
}

export const dismissFirstRun = away.note;
