import { CardSkeleton } from '@/ui/CardSkeleton';
import { ListSkeleton } from '@/ui/ListSkeleton';
import { Skeleton } from '@/ui/Skeleton';
import type { Entry } from '../entry';

export const skeletons: readonly Entry[] = [
  {
    component: 'Skeleton',
    states: {
      line: () => <Skeleton />,
      box: () => <Skeleton width="60%" height="80px" />,
      round: () => <Skeleton width="42px" height="42px" round />,
    },
  },
  {
    component: 'CardSkeleton',
    states: { 'two lines': () => <CardSkeleton />, 'six lines': () => <CardSkeleton lines={6} /> },
  },
  { component: 'ListSkeleton', states: { 'four rows': () => <ListSkeleton /> } },
];
