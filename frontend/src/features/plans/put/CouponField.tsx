import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Quote } from '@/api/types';
import { Icon } from '@/ui/display/Icon';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { Sheet } from '@/ui/layers/Sheet';
import { couponHeadline } from '@/ui/money/coupon-text';
import styles from './CouponField.module.css';
import { CouponOptions } from './CouponOptions';
import { couponReason } from './coupon-reason';
import { type CouponChoice, couponOf } from './put-price';

type Props = {
  quote: Quote | null;
  loading: boolean;
  choice: CouponChoice;
  onChange: (choice: CouponChoice) => void;
};

/** The coupon to use: the best one, unless another or none was chosen. */
export function CouponField({ quote, loading, choice, onChange }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (!quote) {
    return <Quiet>{loading ? <Skeleton width="60%" /> : t('plans.coupon.amountFirst')}</Quiet>;
  }
  if (!quote.coupons.length) return <Quiet>{t('plans.coupon.noneOwned')}</Quiet>;
  return (
    <>
      <button type="button" className={styles.field} onClick={() => setOpen(true)}>
        {/* The spaces are for screen readers: grid cells would run together. */}
        <span className={styles.label}>{t('plans.coupon.label')}</span>{' '}
        <span className={styles.value}>
          <Chosen quote={quote} choice={choice} />
        </span>
        <Icon name="chevron" size={18} />
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title={t('plans.coupon.choose')}>
        <CouponOptions
          quote={quote}
          choice={choice}
          onChoose={(next) => {
            onChange(next);
            setOpen(false);
          }}
        />
      </Sheet>
    </>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={styles.field}>
      <span className={styles.label}>{t('plans.coupon.label')}</span>
      <span className={styles.quiet}>{children}</span>
    </div>
  );
}

type ChosenProps = { quote: Quote; choice: CouponChoice };

function Chosen({ quote, choice }: ChosenProps) {
  const { t } = useTranslation();
  const used = couponOf(quote, choice);
  if (used) {
    return (
      <>
        <strong>{couponHeadline(used.coupon, t)}</strong>{' '}
        <span className={styles.hint}>{used.coupon.name}</span>
      </>
    );
  }
  const unfit = typeof choice === 'object' && quote.coupons.find((c) => c.coupon.id === choice.id);
  if (unfit) {
    return (
      <>
        <span>{t('plans.coupon.unfit', { name: unfit.coupon.name })}</span>{' '}
        <span className={styles.reason}>{couponReason(unfit, quote.amount, t)}</span>
      </>
    );
  }
  return (
    <span className={styles.hint}>
      {quote.best === null ? t('plans.coupon.noneFits') : t('plans.coupon.noneUsed')}
    </span>
  );
}
