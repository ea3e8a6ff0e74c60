import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ListedPlan } from '@/api/types';
import { formatReturn } from '@/i18n/format';
import { planPath } from '@/pages';
import { runningSums } from '@/ui/charts/running-sums';
import { Sparkline } from '@/ui/charts/Sparkline';
import { Link } from '@/ui/controls/Link';
import { Card } from '@/ui/display/Card';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { AmountText } from '@/ui/money/AmountText';
import { resultWord, signOf } from '@/ui/money/result-sign';
import { runningPlansQuery } from '../queries';
import styles from './RunningPlans.module.css';

/** How the running plans do: the best, the worst and the newest. Where none runs there is nothing. */
export function RunningPlans() {
  const { t } = useTranslation();
  const plans = useQuery(runningPlansQuery);
  if (plans.data?.length === 0) return null;
  return (
    <Card
      className={styles.card}
      title={t('adCenter.running.title')}
      aside={
        <Link className={styles.all} to="/plan">
          {t('adCenter.running.all')}
        </Link>
      }
    >
      {plans.data ? (
        <ul className={styles.list}>
          {plans.data.map((plan) => (
            <li key={plan.id}>
              <PlanLine plan={plan} />
            </li>
          ))}
        </ul>
      ) : (
        <Unanswered of={plans} meanwhile={<Skeleton height="10.7rem" />} />
      )}
    </Card>
  );
}

function PlanLine({ plan }: { plan: ListedPlan }) {
  const { t } = useTranslation();
  const sign = signOf(plan.profit);
  return (
    <Link className={styles.line} to={planPath(plan.id)}>
      <span className={styles.name}>
        {plan.product.name}
        {plan.paused && <span className={styles.paused}> {t('plans.paused')}</span>}
      </span>{' '}
      <Sparkline values={runningSums(plan.trend)} tone={sign} />
      <span className={styles.result} data-sign={sign}>
        <strong>
          <AmountText amount={plan.profit} signed />
        </strong>{' '}
        <span className={styles.word}>
          {t(`plans.result.${resultWord(plan.profit, plan.consumed)}`)}{' '}
          <span className={styles.roi}>
            {t('adCenter.running.roi', { share: formatReturn(plan.return_on_spend) })}
          </span>
        </span>
      </span>
    </Link>
  );
}
