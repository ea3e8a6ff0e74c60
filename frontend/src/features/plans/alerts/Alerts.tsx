import { useTranslation } from 'react-i18next';
import type { PlanDetail, PlanRule } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { useEntryState } from '@/shared/forms/use-entry-state';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { Sheet } from '@/ui/layers/Sheet';
import { isRunning } from '../plan-status';
import styles from './Alerts.module.css';
import { AlertsForm } from './AlertsForm';

/** What the user wants to be told of while the plan runs, and how to change that. */
export function Alerts({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const [open, setOpen] = useEntryState('alerts', false);
  if (!isRunning(plan) && !open) return null;
  const some = plan.rules.length > 0;
  const done = () => {
    setOpen(false);
    showToast(t('plans.alerts.saved'), 'success');
  };
  return (
    <div className={styles.alerts}>
      <div className={styles.head}>
        <h2 className={styles.title}>{t('plans.alerts.title')}</h2>
        <Button size="small" variant="secondary" onClick={() => setOpen(true)}>
          {t(some ? 'plans.alerts.change' : 'plans.alerts.set')}
        </Button>
      </div>
      {some ? (
        <ul className={styles.rows} aria-label={t('plans.alerts.title')}>
          {plan.rules.map((rule) => (
            <Row key={rule.kind} rule={rule} />
          ))}
        </ul>
      ) : (
        <p className={styles.note}>{t('plans.alerts.none')}</p>
      )}
      <Sheet open={open} onClose={() => setOpen(false)} title={t('plans.alerts.title')}>
        <AlertsForm plan={plan} onDone={done} />
      </Sheet>
    </div>
  );
}

function Row({ rule }: { rule: PlanRule }) {
  const { t } = useTranslation();
  const amount = rule.amount === null ? '' : formatMoney(rule.amount);
  return (
    <li className={styles.row}>
      <span>{t(`plans.alerts.line.${rule.kind}`, { amount })}</span>
      <span className={styles.note}>{t(`plans.alerts.action.${rule.action}`)}</span>
      {rule.crossed_at && (
        <strong className={styles.happened}>
          {t('plans.alerts.happened', { time: formatDateTime(rule.crossed_at) })}
        </strong>
      )}
    </li>
  );
}
