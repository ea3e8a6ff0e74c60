import { Button } from '@/ui/controls/Button';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { ErrorState } from '@/ui/feedback/ErrorState';
import { SuccessState } from '@/ui/feedback/SuccessState';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { OfflinePicture } from '@/ui/illustrations/OfflinePicture';
import type { Entry } from '../entry';
import { long, nothing } from '../samples';

const failed = { isPending: false, isError: true, isFetching: false, refetch: nothing };

export const states: readonly Entry[] = [
  {
    component: 'EmptyState',
    and: ['State'],
    states: {
      title: () => <EmptyState title="No plans yet" />,
      'with a way on': () => (
        <EmptyState
          title="No plans yet"
          description="Put an amount on a product, and its plan appears here."
          action={<Button size="small">Choose a product</Button>}
        />
      ),
      'long text': () => <EmptyState title={long} description={long} />,
    },
  },
  {
    component: 'ErrorState',
    states: {
      plain: () => <ErrorState onRetry={nothing} />,
      'without a connection': () => <ErrorState onRetry={nothing} picture={<OfflinePicture />} />,
      loading: () => <ErrorState onRetry={nothing} retrying />,
      focused: () => <ErrorState onRetry={nothing} />,
      'long text': () => <ErrorState onRetry={nothing} message={long} />,
    },
  },
  {
    component: 'Unanswered',
    states: {
      plain: () => <Unanswered of={failed} />,
      loading: () => <Unanswered of={[failed, { ...failed, isFetching: true }]} />,
    },
  },
  {
    // It takes the focus, so it needs a page of its own.
    component: 'SuccessState',
    covers: true,
    states: {
      plain: () => (
        <main>
          <h1 className="visually-hidden">Withdrawal</h1>
          <SuccessState
            title="Withdrawal requested"
            description="It is paid within two working days."
            action={<Button size="small">Back to the wallet</Button>}
          />
        </main>
      ),
      'long text': () => (
        <main>
          <SuccessState title={long} description={long} />
        </main>
      ),
    },
  },
];
