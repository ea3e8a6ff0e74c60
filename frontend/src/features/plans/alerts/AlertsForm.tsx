import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { Form } from '@/shared/forms/Form';
import { Button } from '@/ui/controls/Button';
import { SelectField } from '@/ui/form/SelectField';
import { AmountField } from '@/ui/money/AmountField';
import styles from './Alerts.module.css';
import { type AmountKind, actions, comparesAmount, type RuleKind, ruleKinds } from './alert-values';
import { useAlertsForm } from './use-alerts';

export function AlertsForm({ plan, onDone }: { plan: PlanDetail; onDone: () => void }) {
  const { t } = useTranslation();
  const { props, field, busy } = useAlertsForm(plan, onDone);
  return (
    <Form {...props} className={styles.form}>
      <p className={styles.note}>{t('plans.alerts.intro')}</p>
      {ruleKinds.map((kind) => (
        <KindFields key={kind} kind={kind} field={field} />
      ))}
      <Button type="submit" loading={busy}>
        {t('plans.alerts.save')}
      </Button>
    </Form>
  );
}

type Props = { kind: RuleKind; field: ReturnType<typeof useAlertsForm>['field'] };

function KindFields({ kind, field }: Props) {
  const { t } = useTranslation();
  const action = field(`${kind}_action`);
  const options = actions.map((value) => ({ value, label: t(`plans.alerts.action.${value}`) }));
  return (
    <div className={styles.kind}>
      <SelectField
        label={t(`plans.alerts.kind.${kind}`)}
        options={options}
        {...action}
        value={action.value as (typeof actions)[number]}
      />
      {action.value !== 'off' && comparesAmount(kind) && (
        <AmountField label={t(`plans.alerts.amount.${kind}`)} {...field(kind as AmountKind)} />
      )}
    </div>
  );
}
