import { useTranslation } from 'react-i18next';
import type { DayBilling } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import styles from './BillingSheet.module.css';
import { partsOf } from './billing-parts';
import { RowAmount } from './RowAmount';

type Props = { billing: DayBilling; hidden: boolean };

/** The user's own money first, and what others paid as a line of its own. */
export function BillingAmounts({ billing, hidden }: Props) {
  const { t } = useTranslation();
  const { own, others } = partsOf(billing);
  return (
    <div>
      <p className={styles.amount}>
        <RowAmount amount={own ?? billing.amount} hidden={hidden} theirs={own === null} />
      </p>
      {(own ? others : []).map(({ name, amount }) => (
        <p key={name} className={styles.note}>
          {t(`wallet.paidBy.${name}`, { amount: hidden ? '••••' : formatMoney(amount) })}
        </p>
      ))}
      {!own && <p className={styles.note}>{t(`wallet.notYours.${others[0]?.name ?? 'coupon'}`)}</p>}
    </div>
  );
}
