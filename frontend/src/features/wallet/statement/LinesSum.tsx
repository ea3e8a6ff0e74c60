import { useTranslation } from 'react-i18next';
import type { FlowSum } from '@/api/types';
import { formatCount, formatMoney } from '@/i18n/format';
import { AmountText } from '@/ui/money/AmountText';
import styles from './MonthSum.module.css';

type Props = { sum: FlowSum; hidden: boolean };

const accounts = {
  available: 'available',
  held: 'fromBudget',
  promotional: 'promotional',
} as const;

/** The totals of all matching lines, by account. */
export function LinesSum({ sum, hidden }: Props) {
  const { t } = useTranslation();
  if (sum.lines === 0) return null;
  const names = Object.keys(accounts) as (keyof typeof accounts)[];
  const moved = names.filter((name) => /[1-9]/.test(sum[name]));
  const label = t('wallet.sumOf', { count: sum.lines, lines: formatCount(sum.lines) });
  return (
    <div className={styles.lines}>
      <p>{label}</p>
      <dl className={styles.sum} aria-label={label}>
        {(moved.length ? moved : (['available'] as const)).map((name) => (
          <div key={name}>
            <dt>{t(`wallet.${accounts[name]}`)}</dt>
            <dd>
              <AmountText amount={sum[name]} signed hidden={hidden} />
            </dd>
          </div>
        ))}
      </dl>
      {/[1-9]/.test(sum.held_by_platform) && !hidden && (
        <p className={styles.refunds}>
          {t('wallet.platformPaid', { amount: formatMoney(sum.held_by_platform, { sign: true }) })}
        </p>
      )}
    </div>
  );
}
