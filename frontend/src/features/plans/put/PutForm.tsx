import { useTranslation } from 'react-i18next';
import type { Plan, Product } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { useCurrency } from '@/shared/config/known-config';
import { Button } from '@/ui/controls/Button';
import { Notice } from '@/ui/feedback/Notice';
import { SwitchField } from '@/ui/form/SwitchField';
import { AmountField } from '@/ui/money/AmountField';
import type { PutTarget } from '../mutations';
import type { PutStart } from './again';
import { ContentChoice } from './ContentChoice';
import { CouponField } from './CouponField';
import { PutConfirmation } from './PutConfirmation';
import styles from './PutForm.module.css';
import { PutNotices } from './PutNotices';
import { PutSummary } from './PutSummary';
import { quickAmounts } from './put-check';
import { usePutForm } from './use-put-form';

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
  const currency = useCurrency();
  const form = usePutForm({ target, product, coupon, start, onDone });
  const { amount, content, property, problem, checked } = form;
  const limits = {
    min: formatMoney(product.min_put, currency),
    max: formatMoney(product.max_put, currency),
  };
  if (!content) return <Notice tone="warning">{t('plans.noContent')}</Notice>;

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
    >
      <AmountField
        label={t('plans.amount')}
        value={amount}
        onChange={form.setAmount}
        currency={currency}
        error={checked && problem ? t(`plans.problem.${problem}`, limits) : null}
        hint={
          <>
            {t('plans.limits', limits)}
            {property && (
              <>
                <br />
                {t('plans.available', { amount: formatMoney(property.available, currency) })}
              </>
            )}
          </>
        }
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame and a legend. */}
      <div className={styles.quick} role="group" aria-label={t('plans.quick')}>
        {quickAmounts(product.min_put, product.max_put, currency.decimals).map((quick) => (
          <Button
            key={quick}
            size="small"
            variant="secondary"
            aria-pressed={quick === amount}
            onClick={() => form.setAmount(quick)}
          >
            {formatMoney(quick, {
              ...currency,
              decimals: quick.includes('.') ? currency.decimals : 0,
            })}
          </Button>
        ))}
      </div>
      <CouponField
        quote={form.quote}
        loading={form.loading}
        choice={form.choice}
        currency={currency}
        onChange={form.setChoice}
      />
      <ContentChoice product={product} value={content} onChange={form.setContent} small />
      <SwitchField
        label={t('plans.ai.title')}
        hint={t('plans.ai.hint')}
        checked={form.aiDelivery}
        onChange={form.setAiDelivery}
      />
      <PutSummary
        price={form.price}
        loading={form.loading && !form.price}
        product={product}
        currency={currency}
        available={property?.available}
      />
      <PutNotices
        error={form.error}
        limits={limits}
        unanswered={form.unanswered}
        tooDear={checked && problem === 'balance'}
        noPassword={form.noPassword}
      />
      <Button type="submit" disabled={form.noPassword}>
        {t('plans.put')}
      </Button>
      <PutConfirmation
        order={form.order}
        name={product.name}
        onConfirm={form.confirm}
        onClose={form.cancel}
      />
    </form>
  );
}
