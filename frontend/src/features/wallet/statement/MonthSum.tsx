import { useTranslation } from 'react-i18next';
import type { Currency } from '@/api/types';
import { formatMoney, formatMonth } from '@/i18n/format';
import { AmountText } from '@/ui/money/AmountText';
import { isPositive } from '@/ui/money/decimal';
import styles from './MonthSum.module.css';
import type { Month } from './filters/months';

type Props = { month: Month; currency: Currency; hidden: boolean };

/** What the chosen month brought and took, for all kinds. */
export function MonthSum({ month, currency, hidden }: Props) {
  const { t } = useTranslation();
  return (
    <dl className={styles.sum} aria-label={formatMonth(month.month)}>
      <div>
        <dt>{t('wallet.income')}</dt>
        <dd>
          <AmountText amount={month.income} currency={currency} signed hidden={hidden} />
        </dd>
        {isPositive(month.refunds) && !hidden && (
          <dd className={styles.refunds}>
            {t('wallet.refunds', { amount: formatMoney(month.refunds, currency) })}
          </dd>
        )}
      </div>
      <div>
        <dt>{t('wallet.expense')}</dt>
        <dd>
          <AmountText amount={`-${month.expense}`} currency={currency} signed hidden={hidden} />
        </dd>
      </div>
    </dl>
  );
}
