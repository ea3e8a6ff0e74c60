import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentType, Plan, Product } from '@/api/types';
import { useProperty } from '@/api/use-property';
import { useCurrency } from '@/app/basic-config';
import { openCustomerService } from '@/app/customer-service';
import { RefusalNotice } from '@/app/RefusalNotice';
import { formatMoney } from '@/i18n/format';
import { AmountField } from '@/ui/AmountField';
import { Button } from '@/ui/Button';
import { LinkButton } from '@/ui/LinkButton';
import { Notice } from '@/ui/Notice';
import { TransactionPasswordDialog } from '@/ui/TransactionPasswordDialog';
import { ContentChoice } from './ContentChoice';
import { type PutTarget, usePut } from './mutations';
import styles from './PutForm.module.css';
import { PutSummary } from './PutSummary';
import { checkPut, quickAmounts } from './put-check';

type Props = {
  target: PutTarget;
  /** For an offered plan with the terms under which it was offered. */
  product: Product;
  onDone: (plan: Plan) => void;
};

/** Amount, content, the whole price, then the password. What was typed survives any failure. */
export function PutForm({ target, product, onDone }: Props) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const property = useProperty().data;
  const put = usePut();
  const [amount, setAmount] = useState('');
  const [chosen, setChosen] = useState<ContentType | null>(null);
  const [checked, setChecked] = useState(false);
  const [asking, setAsking] = useState(false);

  const content = chosen ?? product.content_types[0];
  const problem = checkPut(amount, product, property?.available);
  const noPassword = property?.pay_password_set === false;
  const limits = {
    min: formatMoney(product.min_put, currency),
    max: formatMoney(product.max_put, currency),
  };
  const change = (value: string) => {
    setAmount(value);
    setChecked(false);
    put.reset();
  };
  const submit = () => {
    setChecked(true);
    if (!problem && !noPassword) setAsking(true);
  };
  if (!content) return <Notice tone="warning">{t('plans.noContent')}</Notice>;

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <AmountField
        label={t('plans.amount')}
        value={amount}
        onChange={change}
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
            onClick={() => change(quick)}
          >
            {formatMoney(quick, {
              ...currency,
              decimals: quick.includes('.') ? currency.decimals : 0,
            })}
          </Button>
        ))}
      </div>
      <ContentChoice product={product} value={content} onChange={setChosen} small />
      <PutSummary
        amount={amount}
        product={product}
        currency={currency}
        available={property?.available}
      />
      {checked && problem === 'balance' && (
        <Notice
          tone="warning"
          action={
            <Button
              size="small"
              variant="secondary"
              onClick={() => openCustomerService({ recharge: true })}
            >
              {t('ui.wayRecharge')}
            </Button>
          }
        >
          {t('plans.rechargeHint')}
        </Notice>
      )}
      {noPassword && (
        <Notice
          tone="warning"
          action={
            <LinkButton to="/wallet/set-password" size="small" variant="secondary">
              {t('ui.waySetPassword')}
            </LinkButton>
          }
        >
          {t('plans.passwordFirst')}
        </Notice>
      )}
      <RefusalNotice error={put.error} />
      <Button type="submit" disabled={noPassword}>
        {t('plans.put')}
      </Button>
      <TransactionPasswordDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={async (password) =>
          onDone(await put.mutateAsync({ ...target, amount, content, password }))
        }
      >
        <p className={styles.confirmed}>
          {t('plans.confirmPut', { name: product.name })}
          <strong>{amount && formatMoney(amount, currency)}</strong>
        </p>
      </TransactionPasswordDialog>
    </form>
  );
}
