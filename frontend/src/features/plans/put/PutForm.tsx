import { useTranslation } from 'react-i18next';
import type { Plan, Product } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Form } from '@/shared/forms/Form';
import { Button } from '@/ui/controls/Button';
import { Notice } from '@/ui/feedback/Notice';
import { SwitchField } from '@/ui/form/SwitchField';
import { couponHeadline } from '@/ui/money/coupon-text';
import { isPositive } from '@/ui/money/decimal';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import type { PutTarget } from '../mutations';
import { PutSchedule } from '../schedule/PutSchedule';
import { BudgetField } from './BudgetField';
import { ContentChoice } from './ContentChoice';
import { CouponField } from './CouponField';
import { Forecast } from './Forecast';
import styles from './PutForm.module.css';
import { PasswordNext, PutNotices } from './PutNotices';
import { PutSummary } from './PutSummary';
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
  const limits = {
    min: formatMoney(product.min_put),
    max: formatMoney(product.max_put),
  };
  const form = usePutForm({ target, product, coupon, start, limits, onDone });
  const { content, property } = form;
  if (!content) return <Notice tone="warning">{t('plans.noContent')}</Notice>;

  return (
    <Form {...form.props} className={styles.form}>
      <p className={styles.about}>{t('plans.putAbout')}</p>
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
