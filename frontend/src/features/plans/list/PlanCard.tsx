import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedPlan } from '@/api/types';
import { formatDateTime, formatReturn } from '@/i18n/format';
import { ProgressBar } from '@/ui/charts/ProgressBar';
import { runningSums } from '@/ui/charts/running-sums';
import { Sparkline } from '@/ui/charts/Sparkline';
import { AmountText } from '@/ui/money/AmountText';
import { type ResultSign, signOf } from '@/ui/money/result-sign';
import { useLongPress } from '@/ui/use-long-press';
import { PlanStatusTag } from '../PlanStatusTag';
import { isRunning } from '../plan-status';
import styles from './PlanCard.module.css';
import { PlanCover, type PlanProps } from './PlanCover';
import { type Steer, SteerButton } from './SteerButton';

type Props = PlanProps & { onSteer: Steer };

/** One plan of the list in two lines. The whole card leads to the plan, or selects it. */
export const PlanCard = memo(function PlanCard({ plan, selected, onSelect, onSteer }: Props) {
  const holding = useLongPress(selected === null ? () => onSelect(plan) : null);
  const id = `plan-${plan.id}`;
  return (
    <div className={styles.card} data-selected={selected ?? undefined} {...holding}>
      <PlanCover plan={plan} selected={selected} onSelect={onSelect} name={id} />
      <Content id={id} plan={plan} />
      {selected === null && isRunning(plan) && <SteerButton plan={plan} onSteer={onSteer} />}
    </div>
  );
});

type ContentProps = { id: string; plan: ListedPlan };

/** Beside what covers it, so that a thousand plans can be selected without being drawn anew. */
const Content = memo(function Content({ id, plan }: ContentProps) {
  const { t } = useTranslation();
  const waiting = plan.status === 'waiting_to_put';
  const from = plan.followed_id && t('operated.offerFrom', { id: plan.followed_id });
  return (
    <span id={id} className={styles.content}>
      <span className={styles.head}>
        <span className={styles.names}>
          <span className={styles.name}>{plan.product.name}</span>{' '}
          <span className={styles.number}>{plan.plan_no}</span>
        </span>
        <PlanStatusTag plan={plan} />
      </span>
      {waiting ? (
        <span className={styles.invite}>
          {from && <strong>{from}</strong>}
          {from && ' · '}
          {t('plans.waitingHint')}
        </span>
      ) : (
        <Figures plan={plan} />
      )}
      {isRunning(plan) && plan.ends_at && (
        <span className={styles.invite}>
          {t('plans.schedule.ends', { time: formatDateTime(plan.ends_at) })}
        </span>
      )}
      {!waiting && from && <span className={styles.invite}>{from}</span>}
    </span>
  );
});

function Figures({ plan }: { plan: ListedPlan }) {
  const { t } = useTranslation();
  const sign = signOf(plan.profit);
  return (
    <>
      <span className={styles.figures}>
        <Figure label={t('plans.consumed')}>
          <AmountText amount={plan.consumed} />
        </Figure>
        <Figure label={t('adCenter.figures.profit')} sign={sign}>
          <AmountText amount={plan.profit} signed />
        </Figure>
        <Figure label={t('plans.roi')} sign={sign}>
          {formatReturn(plan.return_on_spend)}
        </Figure>
        <Sparkline values={runningSums(plan.trend)} tone={sign} />
      </span>
      <span className={styles.progress}>
        <ProgressBar value={plan.progress} label={t('plans.progress')} />
      </span>
    </>
  );
}

type FigureProps = { label: string; sign?: ResultSign; children: ReactNode };

function Figure({ label, sign, children }: FigureProps) {
  return (
    <span className={styles.figure}>
      <span className={styles.label}>{label}</span>
      <span className={styles.value} data-sign={sign}>
        {children}
      </span>
    </span>
  );
}
