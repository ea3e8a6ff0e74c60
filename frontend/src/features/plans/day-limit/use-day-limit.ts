import i18next from 'i18next';
import { call } from '@/api/call';
import { isRefusal } from '@/api/errors';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import type { Plan } from '@/api/types';
import { useDraft } from '@/shared/forms/use-draft';
import { useForm } from '@/shared/forms/use-form';

function useSetLimit(id: string) {
  const set = (cap: string | null) =>
    call('POST', '/plan/order/limits', {
      body: { id, daily_cap: cap },
      inline: ['amount_out_of_range', 'plan_lowered_often', 'fields'],
    });
  return useInvalidatingMutation('steerPlan', set, { awaitRefetch: true });
}

export function useDayLimitForm(plan: Plan, onDone: (cap: string | null) => void) {
  const limit = useSetLimit(plan.id);
  const [values, keep, drop] = useDraft(`day limit ${plan.id}`, () => ({
    daily_cap: plan.daily_cap ?? '',
  }));
  const { daily_cap: value } = values;
  const save = async (cap: string | null) => {
    await limit.mutateAsync(cap);
    drop();
    onDone(cap);
  };
  const form = useForm({
    state: [values, keep],
    problems: { daily_cap: value ? null : 'fields.required' },
    send: () => save(value),
    refusedAt: (cause) => ({ daily_cap: problemOf(cause) }),
  });
  return { ...form, lift: () => void form.run(() => save(null)) };
}

function problemOf(cause: unknown): string | undefined {
  if (isRefusal(cause, 'amount_out_of_range')) return i18next.t('plans.dayLimit.tooLow');
  // With when it may be done again.
  return isRefusal(cause, 'plan_lowered_often') ? cause.msg : undefined;
}
