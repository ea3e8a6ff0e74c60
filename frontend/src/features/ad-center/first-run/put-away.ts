import type { Statistics } from '@/api/types';
import { createNoted } from '@/shared/account/noted';

const away = createNoted('firstSteps');

/** Whether the first steps are shown: until the first view is delivered, or they are put away. */
export function useFirstRun(all: Pick<Statistics, 'impressions'> | undefined): boolean {
  const isAway = away.use();
  return !isAway && all?.impressions === 0;
}

export const putAway = away.note;
