import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Coupon } from '@/api/types';
import { Icon, type IconName } from '@/ui/display/Icon';
import styles from './CouponTicket.module.css';
import { couponDate, couponEffect, couponHeadline, couponMinimum } from './coupon-text';

type Props = {
  coupon: Coupon;
  /** Beside the facts: what can be done with it. */
  action?: ReactNode;
};

/** A coupon as a ticket: what it gives on the upper part, its conditions below the tear line. */
export function CouponTicket({ coupon, action }: Props) {
  const { t } = useTranslation();
  return (
    <article className={styles.ticket} data-status={coupon.status}>
      <header className={styles.top}>
        <p className={styles.kind}>{t(`offers.coupon.kind.${coupon.kind}`)}</p>
        <p className={styles.headline}>{couponHeadline(coupon, t)}</p>
        <h2 className={styles.name}>{coupon.name}</h2>
      </header>
      <div className={styles.body}>
        <p className={styles.effect}>{couponEffect(coupon, t)}</p>
        <ul className={styles.conditions}>
          <Condition icon="wallet">{couponMinimum(coupon, t)}</Condition>
          {coupon.operated_id && (
            <Condition icon="star">{t('offers.coupon.team', { id: coupon.operated_id })}</Condition>
          )}
          <Condition icon="calendar">{couponDate(coupon, t)}</Condition>
        </ul>
        {action}
      </div>
    </article>
  );
}

function Condition({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li className={styles.condition}>
      <Icon name={icon} size={18} />
      <span>{children}</span>
    </li>
  );
}
