import { useTranslation } from 'react-i18next';
import { zoneName } from '@/api/time-zone';
import type { Plan } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { Form } from '@/shared/forms/Form';
import { useEntryState } from '@/shared/forms/use-entry-state';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { Sheet } from '@/ui/layers/Sheet';
import { isRunning } from '../plan-status';
import { presetOf, writeHours } from './hours';
import styles from './Schedule.module.css';
import { ScheduleFields } from './ScheduleFields';
import { closedText } from './schedule-text';
import { useScheduleForm } from './use-schedule';

/** When a running plan is shown, and how to change that. */
export function Schedule({ plan }: { plan: Plan }) {
  const { t } = useTranslation();
  const [open, setOpen] = useEntryState('schedule', false);
  if (!isRunning(plan) && !open) return null;
  const hours = t(`plans.schedule.preset.${presetOf(writeHours(plan.hours))}`);
  const isSet = plan.hours !== null || plan.ends_at !== null || plan.opens_at !== null;
  const done = () => {
    setOpen(false);
    showToast(t('plans.schedule.saved'), 'success');
  };
  return (
    <div>
      <div className={styles.card}>
        <div className={styles.figures}>
          <strong>{closedText(plan, t) ?? hours}</strong>
          {plan.hours && plan.opens_at && <span className={styles.note}>{hours}</span>}
          {plan.ends_at && (
            <span className={styles.note}>
              {t('plans.schedule.ends', { time: formatDateTime(plan.ends_at) })}
            </span>
          )}
        </div>
        <Button size="small" variant="secondary" onClick={() => setOpen(true)}>
          {t(isSet ? 'plans.schedule.change' : 'plans.schedule.set')}
        </Button>
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} title={t('plans.schedule.title')}>
        <ScheduleForm plan={plan} onDone={done} />
      </Sheet>
    </div>
  );
}

function ScheduleForm({ plan, onDone }: { plan: Plan; onDone: () => void }) {
  const { t } = useTranslation();
  const { props, field } = useScheduleForm(plan, onDone);
  const zone = field('hours').value && plan.hours_zone;
  return (
    <Form {...props} submit={t('plans.schedule.save')}>
      <p className="intro">{t('plans.schedule.intro')}</p>
      <ScheduleFields field={field} withStart={plan.status === 'matching'} />
      {zone && zone !== zoneName() && (
        <p className={styles.note}>{t('plans.schedule.zone', { zone })}</p>
      )}
    </Form>
  );
}
