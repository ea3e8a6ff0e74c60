import { useTranslation } from 'react-i18next';
import type { FlowMonth } from '@/api/types';
import { formatMoney, formatMonth } from '@/i18n/format';
import { AmountText } from '@/ui/money/AmountText';
import { isPositive, subtractDecimals } from '@/ui/money/decimal';
import styles from './MonthSum.module.css';

type Props = { month: FlowMonth; hidden: boolean };

/** What the chosen month brought and took without refunds, for all kinds. */
export function MonthSum({ month, hidden }: Props) {
  const { t } = useTranslation();
  const figures = [
    ['income', month.net_income],
    ['expense', subtractDecimals('0', month.net_expense)],
  ] as const;
  return (
    <div>
      <dl className={styles.sum} aria-label={formatMonth(month.month)}>
        {figures.map(([name, amount]) => (
          <div key={name}>
            <dt>{t(`wallet.${name}`)}</dt>
            <dd>
              <AmountText amount={amount} signed hidden={hidden} />
            </dd>
          </div>
        ))}
      </dl>
      {isPositive(month.refunds) && !hidden && (
        <p className={styles.refunds}>
          {t('wallet.refundsOff', { amount: formatMoney(month.refunds) })}
        </p>
      )}
    </div>
  );
}
