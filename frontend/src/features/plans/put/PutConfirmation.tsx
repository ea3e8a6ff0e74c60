import { useTranslation } from 'react-i18next';
import { formatMoney } from '@/i18n/format';
import { couponHeadline } from '@/ui/money/coupon-text';
import { isPositive } from '@/ui/money/decimal';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import styles from './PutForm.module.css';
import type { Order } from './put-drafts';
import type { Price } from './put-price';

type Props = {
  open: boolean;
  order: Order | null;
  name: string;
  onConfirm: (password: string) => Promise<unknown>;
  onClose: () => void;
};

/** The password field, below what it confirms: the plan's budget and who pays it. */
export function PutConfirmation({ order, name, ...dialog }: Props) {
  const { t } = useTranslation();
  return (
    <TransactionPasswordDialog {...dialog}>
      {order && (
        <div className={styles.confirmed}>
          <p>{t('plans.confirmPut', { name })}</p>
          <strong>{formatMoney(order.price.budget)}</strong>
          <Payers price={order.price} />
        </div>
      )}
    </TransactionPasswordDialog>
  );
}

function Payers({ price }: { price: Price }) {
  const { t } = useTranslation();
  const { coupon, couponPays, promotionalPays, availablePays } = price;
  if (!coupon && !isPositive(promotionalPays)) return null;
  return (
    <ul>
      {coupon && (
        <li>
          {t('plans.payer.coupon', {
            coupon: couponHeadline(coupon.coupon, t),
            amount: formatMoney(couponPays),
          })}
        </li>
      )}
      {isPositive(promotionalPays) && (
        <li>{t('plans.payer.credit', { amount: formatMoney(promotionalPays) })}</li>
      )}
      <li>{t('plans.payer.available', { amount: formatMoney(availablePays) })}</li>
    </ul>
  );
}
