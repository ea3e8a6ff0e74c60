import type { TFunction } from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Quote, QuotedCoupon } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { Icon } from '@/ui/display/Icon';
import { StatusTag } from '@/ui/display/StatusTag';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { RadioList } from '@/ui/form/RadioList';
import { Sheet } from '@/ui/layers/Sheet';
import { couponHeadline, couponMinimum } from '@/ui/money/coupon-text';
import { compareDecimals, subtractDecimals } from '@/ui/money/decimal';
import styles from './CouponField.module.css';
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

/** The value for no coupon. */
const without = '';

type CouponOptionsProps = {
  quote: Quote;
  choice: CouponChoice;
  onChoose: (choice: CouponChoice) => void;
};

/**
 * The coupons that can be used, with what each gives, and below them the others, with the reason
 * why not.
 */
function CouponOptions({ quote, choice, onChoose }: CouponOptionsProps) {
  const { t } = useTranslation();
  const [picked, setPicked] = useState(couponOf(quote, choice)?.coupon.id ?? null);
  const fit = quote.coupons.filter((one) => one.applicable);
  const unfit = quote.coupons.filter((one) => !one.applicable);
  const options = [
    ...fit.map((one) => ({
      value: one.coupon.id,
      content: <OptionText option={one} best={one.coupon.id === quote.best} />,
    })),
    { value: without, content: <span className={styles.text}>{t('plans.coupon.without')}</span> },
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

/** Why the coupon is not applicable, in words that say what would help. */
function couponReason({ coupon, reason }: QuotedCoupon, amount: string, t: TFunction): string {
  if (reason === 'coupon_daily_limit') return t('plans.coupon.daily');
  if (compareDecimals(amount, coupon.min_amount) < 0) return couponMinimum(coupon, t);
  if (coupon.operated_id) return t('offers.coupon.team', { id: coupon.operated_id });
  return t('plans.coupon.notHere');
}
