import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Quote, QuotedCoupon } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { StatusTag } from '@/ui/display/StatusTag';
import { RadioList } from '@/ui/form/RadioList';
import { couponHeadline } from '@/ui/money/coupon-text';
import { subtractDecimals } from '@/ui/money/decimal';
import styles from './CouponField.module.css';
import { couponReason } from './coupon-reason';
import { type CouponChoice, couponOf } from './put-price';

/** The value for no coupon. */
const without = '';

type Props = {
  quote: Quote;
  choice: CouponChoice;
  onChoose: (choice: CouponChoice) => void;
};

/**
 * The coupons that can be used, with what each gives, and below them the others, with the reason
 * why not.
 */
export function CouponOptions({ quote, choice, onChoose }: Props) {
  const { t } = useTranslation();
  const [picked, setPicked] = useState(couponOf(quote, choice)?.coupon.id ?? null);
  const fit = quote.coupons.filter((one) => one.applicable);
  const unfit = quote.coupons.filter((one) => !one.applicable);
  const options = [
    ...fit.map((one) => ({
      value: one.coupon.id,
      content: <OptionText option={one} best={one.coupon.id === quote.best} />,
    })),
    {
      value: without,
      content: <span className={styles.text}>{t('plans.coupon.without')}</span>,
    },
  ];
  return (
    <>
      <RadioList
        legend={t('plans.coupon.choose')}
        hideLegend
        options={options}
        value={picked ?? without}
        onChange={(next) => setPicked(next === without ? null : next)}
      />
      <Button onClick={() => onChoose(picked === null ? 'none' : { id: picked })}>
        {t('plans.coupon.confirm')}
      </Button>
      {unfit.length > 0 && (
        <section className={styles.unfit}>
          <h3 className={styles.unfitTitle}>{t('plans.coupon.unfitTitle')}</h3>
          <ul className={styles.options}>
            {unfit.map((one) => (
              <li key={one.coupon.id} className={styles.option}>
                <span className={styles.text}>
                  <strong>{couponHeadline(one.coupon, t)}</strong>
                  <span className={styles.hint}>{one.coupon.name}</span>
                  <span className={styles.reason}>{couponReason(one, quote.amount, t)}</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

type OptionProps = { option: QuotedCoupon; best: boolean };

function OptionText({ option, best }: OptionProps) {
  const { t } = useTranslation();
  const given = subtractDecimals(option.budget, option.pays);
  return (
    <span className={styles.text}>
      <span className={styles.line}>
        <strong>{couponHeadline(option.coupon, t)}</strong>
        {best && <StatusTag tone="positive">{t('plans.coupon.best')}</StatusTag>}
      </span>
      <span className={styles.hint}>{option.coupon.name}</span>
      <span className={styles.hint}>{t('plans.coupon.gives', { amount: formatMoney(given) })}</span>
    </span>
  );
}
