import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { formatMoney, formatReturn } from '@/i18n/format';
import { StatusTag } from '@/ui/display/StatusTag';
import { resultTones, resultWord, signOf } from '@/ui/money/result-sign';
import styles from './PlanResult.module.css';

/** What the plan has brought so far; the colour is that of its sign, whatever its status is. */
export function PlanResult({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const { ratios } = plan;
  const sign = signOf(plan.profit);
  const word = resultWord(plan.profit, plan.consumed);
  return (
    <>
      <dl className={styles.result}>
        <div className={styles.figure}>
          <dt>{t('adCenter.figures.profit')}</dt>
          <dd className={styles.value} data-sign={sign}>
            {formatMoney(plan.profit, { sign: true })}
          </dd>
          <dd className={styles.word}>
            <StatusTag tone={resultTones[sign]}>{t(`plans.result.${word}`)}</StatusTag>
          </dd>
        </div>
        <div className={styles.figure}>
          <dt>{t('plans.ratios.return')}</dt>
          <dd className={styles.value} data-sign={sign}>
            {formatReturn(ratios.return_on_spend)}
          </dd>
        </div>
      </dl>
      <div className={styles.notes}>
        <p>
          {t('adCenter.settledPart', { amount: formatMoney(plan.settled_profit, { sign: true }) })}
        </p>
        <p>
          {t('plans.ratios.returnHint', { amount: formatMoney(ratios.profit, { sign: true }) })}
        </p>
      </div>
    </>
  );
}
