import { useTranslation } from 'react-i18next';
import type { Plan, Product } from '@/api/types';
import { decimalsOf, formatMoney, formatPercent } from '@/i18n/format';
import { Form } from '@/shared/forms/Form';
import { Button } from '@/ui/controls/Button';
import { Facts } from '@/ui/display/Facts';
import { Notice } from '@/ui/feedback/Notice';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { SwitchField } from '@/ui/form/SwitchField';
import { couponHeadline } from '@/ui/money/coupon-text';
import { compareDecimals, exactShareOf, isPositive, subtractDecimals } from '@/ui/money/decimal';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import type { PutTarget } from '../mutations';
import { PutSchedule } from '../schedule/PutSchedule';
import { BudgetField } from './BudgetField';
import { ContentChoice } from './ContentChoice';
import { CouponField } from './CouponField';
import { Forecast } from './Forecast';
import styles from './PutForm.module.css';
import { PasswordNext, PutNotices } from './PutNotices';
import type { PutStart } from './put-again';
import type { Price } from './put-price';
import { type Order, usePutForm } from './use-put-form';

type Props = {
  target: PutTarget;
  /** For an offered plan, with the terms under which it was offered. */
  product: Product;
  /** The coupon chosen at first, instead of the best one. */
  coupon?: string | null;
  /** Filled in as another plan was put. */
  start?: PutStart | null;
  onDone: (plan: Plan) => void;
};

/**
 * Amount, coupon, content, AI delivery, the whole price, then the password. What was typed survives
 * any failure.
 */
export function PutForm({ target, product, coupon = null, start = null, onDone }: Props) {
  const { t } = useTranslation();
  const limits = { min: formatMoney(product.min_put), max: formatMoney(product.max_put) };
  const form = usePutForm({ target, product, coupon, start, limits, onDone });
  const { content, property } = form;
  if (!content) return <Notice tone="warning">{t('plans.noContent')}</Notice>;

  return (
    <Form {...form.props} className={styles.form}>
      <p className="intro">{t('plans.putAbout')}</p>
      <BudgetField
        field={form.amountField}
        min={product.min_put}
        max={product.max_put}
        property={property}
        tooDear={form.tooDear}
      />
      <Forecast price={form.price} loading={form.loading} product={product} />
      <CouponField
        quote={form.quote}
        loading={form.loading}
        choice={form.choice}
        onChange={form.setChoice}
      />
      <ContentChoice product={product} value={content} onChange={form.setContent} small />
      <SwitchField
        label={t('plans.ai.title')}
        hint={t('plans.ai.hint')}
        checked={form.aiDelivery}
        onChange={form.setAiDelivery}
      />
      <PutSchedule value={form.schedule} failure={form.failure} onChange={form.setSchedule} />
      <PutSummary
        price={form.price}
        loading={form.loading && !form.price}
        product={product}
        available={property?.available}
      />
      <PutNotices error={form.failure} limits={limits} unanswered={form.unanswered} />
      {form.noPassword && <PasswordNext />}
      <div className={styles.submit} data-bottom>
        <Button type="submit" loading={form.busy}>
          {t(form.noPassword ? 'ui.waySetPassword' : 'plans.put')}
        </Button>
      </div>
      <PutConfirmation {...form.dialog} order={form.order} name={product.name} />
    </Form>
  );
}

type PutConfirmationProps = {
  open: boolean;
  order: Order | null;
  name: string;
  onConfirm: (password: string) => Promise<unknown>;
  onClose: () => void;
};

/** The password field, below what it confirms: the plan's budget and who pays it. */
function PutConfirmation({ order, name, ...dialog }: PutConfirmationProps) {
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

type PutSummaryProps = {
  /** Null while there is no amount, or its price is loading. */
  price: Price | null;
  loading: boolean;
  product: Product;
  available: string | undefined;
};

/** The whole cost of the put, and what it cannot promise, before it is confirmed. */
function PutSummary({ price, loading, product, available }: PutSummaryProps) {
  const { t } = useTranslation();
  const shown = (value: string) => (loading ? <Skeleton width="5em" /> : value);
  const { payout } = product;
  const rate = price?.feeRate ?? product.fee_rate;
  const budget = price?.budget ?? '0';
  const lowered = price && compareDecimals(price.feeRate, price.listFeeRate) < 0;

  const feeEach = exactShareOf(payout.amount, rate);

  const facts = [
    price &&
      isPositive(price.couponPays) && {
        label: t('plans.couponPays'),
        value: formatMoney(price.couponPays),
        hint: price.coupon?.coupon.name,
      },
    price &&
      isPositive(price.promotionalPays) && {
        label: t('plans.credit'),
        value: formatMoney(price.promotionalPays),
        hint: t('plans.creditHint'),
      },
    {
      label: t('plans.heldNow'),
      value: shown(formatMoney(price?.availablePays ?? '0')),
      hint: t('plans.heldHint'),
    },
    price &&
      compareDecimals(budget, price.availablePays) !== 0 && {
        label: t('plans.budgetOf'),
        value: formatMoney(budget),
      },
    { label: t('plans.feeNow'), value: formatMoney('0') },
    {
      label: t('plans.feeLater', { percent: formatPercent(rate) }),
      // Settlement rounds once, on the whole revenue, not for each conversion.
      value: formatMoney(feeEach, { places: decimalsOf(feeEach) }),
      hint: lowered
        ? t('plans.feeLowered', { percent: formatPercent(price.listFeeRate) })
        : t('plans.feeLaterHint', { payout: formatMoney(payout.amount) }),
    },
    price &&
      available !== undefined &&
      compareDecimals(available, price.availablePays) >= 0 && {
        label: t('plans.availableAfter'),
        value: formatMoney(subtractDecimals(available, price.availablePays)),
      },
  ];
  return <Facts facts={facts} />;
}
