import type { Statistics } from '@/api/types';
import { createSeenFlag } from '@/shared/account/seen-flag';

const dismissed = createSeenFlag('firstSteps');

/** Whether the first steps are shown: until the first view is delivered, or they are put away. */
export function useFirstRun(all: Pick<Statistics, 'impressions'> | undefined): boolean {
  const isDismissed = dismissed.use();
  return !isDismissed && all?.impressions === 0;
}

export const dismissFirstRun = dismissed.note;
