import { useTranslation } from 'react-i18next';
import { zoneName } from '@/api/time-zone';
import type { Plan } from '@/api/types';
import { Form } from '@/shared/forms/Form';
import { Button } from '@/ui/controls/Button';
import styles from './Schedule.module.css';
import { ScheduleFields } from './ScheduleFields';
import { useScheduleForm } from './use-schedule';

export function ScheduleForm({ plan, onDone }: { plan: Plan; onDone: () => void }) {
  const { t } = useTranslation();
  const { props, field, busy } = useScheduleForm(plan, onDone);
  const zone = plan.hours_zone;
  return (
    <Form {...props} className={styles.form}>
      <p className={styles.note}>{t('plans.schedule.intro')}</p>
      <ScheduleFields field={field} withStart={plan.status === 'matching'} />
      {zone && zone !== zoneName() && (
        <p className={styles.note}>{t('plans.schedule.zone', { zone })}</p>
      )}
      <Button type="submit" loading={busy}>
        {t('plans.schedule.save')}
      </Button>
    </Form>
  );
}
