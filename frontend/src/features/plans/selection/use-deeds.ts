import { call } from '@/api/call';
import { moneyCall } from '@/api/money/money-call';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import type { ListedPlan } from '@/api/types';
import { moneyRefusals } from '@/shared/money/RefusalNotice';
import { runBatch } from './batch';

type Plans = readonly ListedPlan[];
type Steering = { control: 'pause' | 'resume'; plans: Plans };
type Addition = { amount: string; password: string; plans: Plans };

/** The summary says what was refused. */
const inline = moneyRefusals;

/** What can be done with several plans. What it makes old is asked for once, at its end. */
export function useDeeds() {
  const steer = useInvalidatingMutation('steerPlan', ({ control, plans }: Steering) =>
    runBatch(control, plans, ({ id }) =>
      call('POST', `/plan/order/${control}`, { body: { id }, inline }),
    ),
  );
  // Each plan has an order of its own, with a key that a repetition has again.
  const add = useInvalidatingMutation('addBudget', ({ plans, ...paid }: Addition) =>
    runBatch('add', plans, ({ id }) =>
      moneyCall('/plan/order/add_budget', { id, ...paid }, { inline }),
    ),
  );
  return { steer: steer.mutateAsync, add: add.mutateAsync };
}
