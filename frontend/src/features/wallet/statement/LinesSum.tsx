import { useTranslation } from 'react-i18next';
import type { FlowMonth, FlowSum } from '@/api/types';
import { formatCount, formatMoney, formatMonth } from '@/i18n/format';
import { AmountText } from '@/ui/money/AmountText';
import { isPositive, subtractDecimals } from '@/ui/money/decimal';
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
  const shown = moved.length ? moved : (['available'] as const);
  const sums = shown.map((name) => [t(`wallet.${accounts[name]}`), sum[name]] as const);
  const label = t('wallet.sumOf', { count: sum.lines, lines: formatCount(sum.lines) });
  return (
    <div className={styles.lines}>
      <p>{label}</p>
      <Sums label={label} sums={sums} hidden={hidden} />
      {/[1-9]/.test(sum.held_by_platform) && !hidden && (
        <p className={styles.refunds}>
          {t('wallet.platformPaid', { amount: formatMoney(sum.held_by_platform, { sign: true }) })}
        </p>
      )}
    </div>
  );
}

type MonthSumProps = { month: FlowMonth; hidden: boolean };

/** The money in and out of the chosen month without refunds, for all kinds. */
export function MonthSum({ month, hidden }: MonthSumProps) {
  const { t } = useTranslation();
  const sums = [
    [t('wallet.income'), month.net_income],
    [t('wallet.expense'), subtractDecimals('0', month.net_expense)],
  ] as const;
  return (
    <div>
      <Sums label={formatMonth(month.month)} sums={sums} hidden={hidden} />
      {isPositive(month.refunds) && !hidden && (
        <p className={styles.refunds}>
          {t('wallet.refundsOff', { amount: formatMoney(month.refunds) })}
        </p>
      )}
    </div>
  );
}

type SumsProps = {
  label: string;
  sums: readonly (readonly [name: string, amount: string])[];
  hidden: boolean;
};

function Sums({ label, sums, hidden }: SumsProps) {
  return (
    <dl className={styles.sum} aria-label={label}>
      {sums.map(([name, amount]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <AmountText amount={amount} signed hidden={hidden} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
