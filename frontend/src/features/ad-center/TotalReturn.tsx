import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statistics } from '@/api/types';
import { formatMoney, formatReturn } from '@/i18n/format';
import { TermHelp } from '@/shared/terms/TermHelp';
import { classNames } from '@/ui/class-names';
import { Card } from '@/ui/display/Card';
import { isPositive, ratioOf } from '@/ui/money/decimal';
import { signOf } from '@/ui/money/result-sign';
import styles from './TotalReturn.module.css';

type Props = {
  /** Undefined while they are loading. */
  all: Statistics | undefined;
};

const unknown = '–';

/**
 * The return of all plans so far. Revenue that is not settled yet is shown separately. Until the
 * figures arrive, the card has the size that it has for most users, so that nothing below moves.
 */
export function TotalReturn({ all }: Props) {
  const { t } = useTranslation();
  const ratio = all ? ratioOf(all.profit, all.consumed, 4) : null;
  const sign = all && signOf(all.profit);
  const pending = !all || isPositive(all.pending);
  const profit = all ? formatMoney(all.profit, { sign: true }) : unknown;
  const unsettled = all ? formatMoney(all.pending) : unknown;
  const longest = Math.max(profit.length, pending ? unsettled.length : 0);
  return (
    <Card className={styles.card}>
      <h2 className="visually-hidden">{t('adCenter.returned.title')}</h2>
      <dl className={styles.figures} style={{ '--length': longest } as CSSProperties}>
        <div className={styles.figure}>
          <dt>{t('adCenter.returned.profit')}</dt>
          <dd data-sign={sign}>{profit}</dd>
          <dd className={classNames(styles.part, !all && styles.awaited)}>
            {t('adCenter.settledPart', {
              amount: all ? formatMoney(all.settled_profit, { sign: true }) : unknown,
            })}
          </dd>
        </div>
        <div className={styles.figure}>
          <dt>{t('adCenter.returned.roi')}</dt>
          <dd data-sign={sign}>{formatReturn(ratio)}</dd>
        </div>
        {pending && (
          <div className={styles.figure}>
            <dt className={styles.helped}>
              {t('adCenter.returned.pending')}
              {all ? (
                <TermHelp term="toBeSettled" amount={all.pending} />
              ) : (
                <span className={styles.room} />
              )}
            </dt>
            <dd>{unsettled}</dd>
          </div>
        )}
      </dl>
    </Card>
  );
}
