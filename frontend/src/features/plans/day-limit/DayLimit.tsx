import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { isRefusal } from '@/api/errors';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import type { Plan } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { Form } from '@/shared/forms/Form';
import { useDraft } from '@/shared/forms/use-draft';
import { useEntryState } from '@/shared/forms/use-entry-state';
import { useForm } from '@/shared/forms/use-form';
import { ProgressBar } from '@/ui/charts/ProgressBar';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { Sheet } from '@/ui/layers/Sheet';
import { AmountField } from '@/ui/money/AmountField';
import { subtractDecimals } from '@/ui/money/decimal';
import { isRunning } from '../plan-status';
import styles from './DayLimit.module.css';

/** The amount that a running plan has spent today, and its limit. */
export function DayLimit({ plan }: { plan: Plan }) {
  const { t } = useTranslation();
  const [open, setOpen] = useEntryState('day-limit', false);
  if (!isRunning(plan) && !open) return null;
  const cap = plan.daily_cap;
  const done = (limit: string | null) => {
    setOpen(false);
    showToast(t(limit ? 'plans.dayLimit.saved' : 'plans.dayLimit.lifted'), 'success');
  };
  return (
    <div>
      <div className={styles.day}>
        {cap ? <Limited plan={plan} cap={cap} /> : <Unlimited plan={plan} />}
        <Button size="small" variant="secondary" onClick={() => setOpen(true)}>
          {t(cap ? 'plans.dayLimit.change' : 'plans.dayLimit.set')}
        </Button>
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} title={t('plans.dayLimit.formTitle')}>
        <DayLimitForm plan={plan} onDone={done} />
      </Sheet>
    </div>
  );
}

function Limited({ plan, cap }: { plan: Plan; cap: string }) {
  const { t } = useTranslation();
  const spent = plan.consumed_today;
  const share = Math.floor((100 * Number(spent)) / Number(cap));
  const amounts = { spent: formatMoney(spent), cap: formatMoney(cap) };
  const text = t('plans.dayLimit.of', amounts);
  return (
    <div className={styles.figures}>
      <strong>{text}</strong>
      <ProgressBar value={share} label={t('plans.dayLimit.title')} text={text} />
      <span className={styles.note}>
        {t('plans.dayLimit.until', { time: formatDateTime(plan.day_ends_at) })}
      </span>
      {isReached(plan, cap) && <p className={styles.note}>{t('plans.dayLimit.reached')}</p>}
    </div>
  );
}

/** Whether the rest of the day's limit is too small for another impression or click. */
function isReached({ put_rule: { pricing, price }, consumed_today: spent }: Plan, cap: string) {
  const events = pricing === 'cpm' ? 1000 : 1;
  return Number(subtractDecimals(cap, spent)) * events < Number(price);
}

function Unlimited({ plan }: { plan: Plan }) {
  const { t } = useTranslation();
  return (
    <div className={styles.figures}>
      <strong>{t('plans.dayLimit.spent', { amount: formatMoney(plan.consumed_today) })}</strong>
      <span className={styles.note}>{t('plans.dayLimit.none')}</span>
    </div>
  );
}

type Props = { plan: Plan; onDone: (cap: string | null) => void };

function DayLimitForm({ plan, onDone }: Props) {
  const { t } = useTranslation();
  const { props, field, busy, lift } = useDayLimitForm(plan, onDone);
  return (
    <Form {...props}>
      <p className="intro">{t('plans.dayLimit.intro')}</p>
      <AmountField label={t('plans.dayLimit.field')} {...field('daily_cap')} />
      <Button type="submit" loading={busy}>
        {t('plans.dayLimit.save')}
      </Button>
      {plan.daily_cap && (
        <Button variant="secondary" disabled={busy} onClick={lift}>
          {t('plans.dayLimit.lift')}
        </Button>
      )}
    </Form>
  );
}

function useSetLimit(id: string) {
  const set = (cap: string | null) =>
    call('POST', '/plan/order/limits', {
      body: { id, daily_cap: cap },
      inline: ['amount_out_of_range', 'plan_lowered_often', 'fields'],
    });
  return useInvalidatingMutation('steerPlan', set, { awaitRefetch: true });
}

function useDayLimitForm(plan: Plan, onDone: (cap: string | null) => void) {
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
  // The server's text says when the limit may be lowered again.
  return isRefusal(cause, 'plan_lowered_often') ? cause.msg : undefined;
}
