import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedPlan } from '@/api/types';
import { formatCount, formatDate, formatReturn } from '@/i18n/format';
import { ProgressBar } from '@/ui/charts/ProgressBar';
import { runningSums } from '@/ui/charts/running-sums';
import { Sparkline } from '@/ui/charts/Sparkline';
import { AmountText } from '@/ui/money/AmountText';
import { signOf } from '@/ui/money/result-sign';
import { useLongPress } from '@/ui/use-long-press';
import { PlanCover, type PlanProps } from '../list/PlanCover';
import { type Steer, SteerButton } from '../list/SteerButton';
import { PlanStatusTag } from '../PlanStatusTag';
import { isRunning } from '../plan-status';
import styles from './PlanTable.module.css';

type Props = PlanProps & { onSteer: Steer };

/** The cells of a plan, where there is room for a table. All of the row leads to it, or selects it. */
export const PlanRow = memo(function PlanRow({ plan, selected, onSelect, onSteer }: Props) {
  const holding = useLongPress(selected === null ? () => onSelect(plan) : null);
  const id = `plan-${plan.id}`;
  return (
    <>
      <th scope="row" data-selected={selected ?? undefined} {...holding}>
        <PlanCover plan={plan} selected={selected} onSelect={onSelect} name={id} />
        <span id={id} className={styles.names}>
          <span className={styles.name}>{plan.product.name}</span>{' '}
          <span className={styles.number}>{plan.plan_no}</span>
        </span>
      </th>
      <Content plan={plan} />
      <td className={styles.control}>
        {selected === null && isRunning(plan) && <SteerButton plan={plan} onSteer={onSteer} />}
      </td>
    </>
  );
});

/** Beside what can be selected, so that a thousand plans are not drawn anew for it. */
const Content = memo(function Content({ plan }: { plan: ListedPlan }) {
  const { t } = useTranslation();
  const from = plan.followed_id && t('operated.offerFrom', { id: plan.followed_id });
  return (
    <>
      <td>
        <PlanStatusTag plan={plan} />
        {from && <span className={styles.from}>{from}</span>}
      </td>
      <td>{formatDate(plan.created_at)}</td>
      {plan.status === 'waiting_to_put' ? (
        <td className={styles.invite} colSpan={5}>
          {t('plans.waitingHint')}
        </td>
      ) : (
        <Figures plan={plan} />
      )}
    </>
  );
});

function Figures({ plan }: { plan: ListedPlan }) {
  const { t } = useTranslation();
  const sign = signOf(plan.profit);
  return (
    <>
      <td className={styles.figure}>
        <AmountText amount={plan.consumed} />
        <span className={styles.budget}>
          {t('plans.of')} <AmountText amount={plan.put_amount} />
        </span>
        <ProgressBar value={plan.progress} label={t('plans.progress')} />
      </td>
      <td className={styles.figure}>{formatCount(plan.conversions)}</td>
      <td className={styles.figure} data-sign={sign}>
        <AmountText amount={plan.profit} signed />
      </td>
      <td className={styles.figure} data-sign={sign}>
        {formatReturn(plan.return_on_spend)}
      </td>
      <td className={styles.course}>
        <Sparkline values={runningSums(plan.trend)} tone={sign} />
      </td>
    </>
  );
}
