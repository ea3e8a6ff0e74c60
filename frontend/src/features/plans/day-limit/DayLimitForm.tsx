import { useTranslation } from 'react-i18next';
import type { Plan } from '@/api/types';
import { Form } from '@/shared/forms/Form';
import { Button } from '@/ui/controls/Button';
import { AmountField } from '@/ui/money/AmountField';
import styles from './DayLimit.module.css';
import { useDayLimitForm } from './use-day-limit';

type Props = { plan: Plan; onDone: (cap: string | null) => void };

export function DayLimitForm({ plan, onDone }: Props) {
  const { t } = useTranslation();
  const { props, field, busy, lift } = useDayLimitForm(plan, onDone);
  return (
    <Form {...props} className={styles.form}>
      <p className={styles.intro}>{t('plans.dayLimit.intro')}</p>
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
