import { CardSkeleton, CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { Loading } from '@/ui/feedback/Loading';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { ListSkeleton } from '@/ui/lists/ListSkeleton';
import type { Entry } from '../entry';

export const skeletons: readonly Entry[] = [
  { component: 'Loading', states: { plain: () => <Loading /> } },
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
  { component: 'CardSkeletons', states: { 'a page': () => <CardSkeletons lines={[1, 3]} /> } },
  { component: 'ListSkeleton', states: { 'four rows': () => <ListSkeleton /> } },
];
