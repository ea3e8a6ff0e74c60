import { useTranslation } from 'react-i18next';
import { useCurrency } from '@/api/queries/known-config';
import type { Addable, Currency, PlanDetail, Property } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { type Fact, Facts } from '@/ui/display/Facts';
import { AmountField } from '@/ui/money/AmountField';
import { addDecimals, subtractDecimals } from '@/ui/money/decimal';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import { Forecast } from '../put/Forecast';
import styles from '../put/PutForm.module.css';
import { PasswordNext, PutNotices, TooDear } from '../put/PutNotices';
import type { Price } from '../put/put-price';
import { QuickAmounts } from '../QuickAmounts';
import own from './AddBudget.module.css';
import { useAddBudgetForm } from './use-add-budget';

type Props = { plan: PlanDetail; addable: Addable; onDone: () => void };

/** The amount, what it pays for and what it leads to, then the password. */
export function AddBudgetForm({ plan, addable, onDone }: Props) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const money = (value: string) => formatMoney(value, currency);
  const limits = { min: money(addable.min), max: money(addable.max) };
  const form = useAddBudgetForm({ plan, addable, limits, onDone });
  const { amount, property } = form;
  const agreed = { ...plan.product, put_rule: plan.put_rule, payout: plan.payout };
  return (
    <form {...form.props} className={styles.form}>
      <p className={own.intro}>{t('plans.addition.intro')}</p>
      <AmountField
        label={t('plans.amount')}
        {...form.amountField}
        currency={currency}
        hint={
          <>
            {t('plans.limits', limits)}
            {property && (
              <>
                <br />
                {t('plans.available', { amount: money(property.available) })}
              </>
            )}
          </>
        }
      />
      <QuickAmounts
        min={addable.min}
        max={addable.max}
        value={amount}
        onChange={form.setAmount}
        currency={currency}
      />
      {form.tooDear && <TooDear />}
      <Forecast price={form.price} loading={false} product={agreed} currency={currency} />
      <Result plan={plan} price={form.price} property={property} currency={currency} />
      <PutNotices error={form.failure} limits={limits} unanswered={false} />
      {form.noPassword && <PasswordNext />}
      <div className={styles.submit} data-bottom>
        <Button type="submit">
          {t(form.noPassword ? 'ui.waySetPassword' : 'plans.addition.title')}
        </Button>
      </div>
      <TransactionPasswordDialog {...form.dialog}>
        <div className={styles.confirmed}>
          <p>{t('plans.addition.confirm', { name: plan.product.name })}</p>
          <strong>{money(amount || '0')}</strong>
        </div>
      </TransactionPasswordDialog>
    </form>
  );
}

type ResultProps = {
  plan: PlanDetail;
  price: Price | null;
  property: Property | undefined;
  currency: Currency;
};

/** What is held now, and what budget and balance are afterwards. */
function Result({ plan, price, property, currency }: ResultProps) {
  const { t } = useTranslation();
  const { decimals } = currency;
  const amount = price?.budget ?? '0';
  const money = (value: string) => formatMoney(value, currency);
  const facts: Fact[] = [
    { label: t('plans.heldNow'), value: money(amount), hint: t('plans.heldHint') },
    {
      label: t('plans.addition.budgetAfter'),
      value: money(addDecimals(plan.put_amount, amount, decimals)),
    },
  ];
  if (property && price?.affordable) {
    facts.push({
      label: t('plans.availableAfter'),
      value: money(subtractDecimals(property.available, amount, decimals)),
    });
  }
  return <Facts facts={facts} />;
}
