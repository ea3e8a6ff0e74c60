import { useTranslation } from 'react-i18next';
import { serverNow } from '@/api/server-clock';
import type { PlanDetail } from '@/api/types';
import { formatDateTime, formatMoney, formatPercent, formatReturn } from '@/i18n/format';
import { flowPath } from '@/shared/money/flow-path';
import { ProgressBar } from '@/ui/charts/ProgressBar';
import { CopyButton } from '@/ui/controls/CopyButton';
import { Link } from '@/ui/controls/Link';
import { Card } from '@/ui/display/Card';
import { Icon } from '@/ui/display/Icon';
import { StatusTag } from '@/ui/display/StatusTag';
import { longest } from '@/ui/longest';
import { AmountText } from '@/ui/money/AmountText';
import { resultTones, resultWord, signOf } from '@/ui/money/result-sign';
import { PlanImage } from '../PlanImage';
import { PlanStatusTag } from '../PlanStatusTag';
import { reasonText } from '../plan-status';
import styles from './PlanHeader.module.css';
import { daysLeft, paceOf } from './pace';

/** The plan's product, its status and why, what it has brought, and how much of the budget is used. */
export function PlanHeader({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const reason = reasonText(plan, t);
  const percent = formatPercent(`${plan.progress}e-2`);
  const pace = paceOf(plan, serverNow());
  const left = daysLeft(plan, serverNow());
  return (
    <Card>
      <div className={styles.head}>
        <PlanImage src={plan.product.image} />
        <div className={styles.names}>
          <h2 className={styles.name}>{plan.product.name}</h2>
          <span className={styles.number}>{plan.plan_no}</span>
        </div>
        <CopyButton text={plan.plan_no} label={t('plans.copyNumber')} />
      </div>
      <div className={styles.status}>
        <PlanStatusTag plan={plan} />
        {plan.official && <StatusTag>{t('plans.official')}</StatusTag>}
        {reason && <p className={styles.reason}>{reason}</p>}
      </div>
      {plan.followed_id && plan.status !== 'waiting_to_put' && (
        <p className={styles.from}>{t('operated.offerFrom', { id: plan.followed_id })}</p>
      )}
      {plan.status !== 'waiting_to_put' && (
        <>
          <PlanResult plan={plan} />
          <div className={styles.progress}>
            <div className={styles.amounts}>
              <AmountText amount={plan.consumed} size="large" />
              <span className={styles.of}>
                {t('plans.of')} <AmountText amount={plan.put_amount} />
              </span>
              <strong className={styles.percent}>{percent}</strong>
            </div>
            <ProgressBar
              value={plan.progress}
              label={t('plans.progress')}
              mark={pace?.time ?? null}
              text={pace ? `${percent}, ${t('plans.day', pace)}` : undefined}
            />
            {plan.bill_at && (
              <p className={styles.unbilled}>
                {t('plans.unbilled', {
                  amount: formatMoney(plan.unbilled),
                  time: formatDateTime(plan.bill_at),
                })}
              </p>
            )}
            <div className={styles.foot}>
              {pace && (
                <p className={styles.pace}>
                  <span aria-hidden="true">{t('plans.day', pace)}</span>
                  {left !== null && ` · ${t('plans.daysLeft', { count: left })}`}
                </p>
              )}
              <Link className={styles.lines} to={flowPath({ plan: plan.id, kind: 'ad_billing' })}>
                {t('wallet.kind.ad_billing')}
                <Icon name="chevron" size={16} />
              </Link>
            </div>
          </div>
        </>
      )}
    </Card>
  );
}

/** The plan's result so far, in the colour of its sign, whatever its status is. */
function PlanResult({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const { ratios } = plan;
  const sign = signOf(plan.profit);
  const word = resultWord(plan.profit, plan.consumed);
  const profit = formatMoney(plan.profit, { sign: true });
  return (
    <>
      <dl className={styles.result}>
        <div className={styles.figure}>
          <dt>{t('adCenter.figures.profit')}</dt>
          <dd className={styles.value} data-sign={sign} style={longest([profit])}>
            {profit}
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
