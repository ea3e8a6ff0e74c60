import { call } from '@/api/call';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import type { PlanDetail } from '@/api/types';
import { useDraft } from '@/shared/forms/use-draft';
import { useForm } from '@/shared/forms/use-form';
import { problemsOf, requestOf, valuesOf } from './alert-values';

export function useAlertsForm(plan: PlanDetail, onDone: () => void) {
  const send = (rules: ReturnType<typeof requestOf>) =>
    call('POST', '/plan/order/rules', {
      body: { id: plan.id, rules },
      inline: ['fields'],
    });
  const set = useInvalidatingMutation('steerPlan', send, { awaitRefetch: true });
  const [values, keep, drop] = useDraft(`alerts ${plan.id}`, () => valuesOf(plan.rules));
  return useForm({
    state: [values, keep],
    problems: problemsOf(values),
    send: async () => {
      await set.mutateAsync(requestOf(values));
      drop();
      onDone();
    },
  });
}
