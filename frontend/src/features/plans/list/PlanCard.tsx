import { useTranslation } from 'react-i18next';
import type { Plan } from '@/api/types';
import { planPath } from '@/pages';
import { ProgressBar } from '@/ui/charts/ProgressBar';
import { Link } from '@/ui/controls/Link';
import { AmountText } from '@/ui/money/AmountText';
import { PlanImage } from '../PlanImage';
import { PlanStatusTag } from '../PlanStatusTag';
import styles from './PlanCard.module.css';

/** One plan of the list; the whole card leads to it. */
export function PlanCard({ plan }: { plan: Plan }) {
  const { t } = useTranslation();
  const waiting = plan.status === 'waiting_to_put';
  return (
    <Link className={styles.card} to={planPath(plan.id)}>
      <span className={styles.head}>
        <PlanImage src={plan.product.image} />
        <span className={styles.names}>
          <span className={styles.name}>{plan.product.name}</span>
          <span className={styles.number}>{plan.plan_no}</span>
        </span>
        <span className={styles.tags}>
          <PlanStatusTag plan={plan} />
        </span>
      </span>
      {waiting ? (
        <span className={styles.invite}>
          {plan.followed_id && (
            <strong>{t('operated.offerFrom', { id: plan.followed_id })} </strong>
          )}
          {t('plans.waitingHint')}
        </span>
      ) : (
        <>
          {plan.followed_id && (
            <span className={styles.from}>{t('operated.offerFrom', { id: plan.followed_id })}</span>
          )}
          <ProgressBar value={plan.progress} label={t('plans.progress')} />
          <span className={styles.figures}>
            <Figure label={t('plans.budget')} amount={plan.put_amount} />
            <Figure label={t('plans.consumed')} amount={plan.consumed} />
            <Figure label={t('plans.revenue')} amount={plan.revenue} />
            <Figure label={t('adCenter.figures.profit')} amount={plan.profit} />
          </span>
        </>
      )}
    </Link>
  );
}

type FigureProps = { label: string; amount: string };

function Figure({ label, amount }: FigureProps) {
  return (
    <span className={styles.figure}>
      <span className={styles.label}>{label}</span>
      <AmountText amount={amount} />
    </span>
  );
}
