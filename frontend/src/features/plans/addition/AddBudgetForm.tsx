import { useTranslation } from 'react-i18next';
import type { Addable, PlanDetail, Property } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Form } from '@/shared/forms/Form';
import { Button } from '@/ui/controls/Button';
import { Facts } from '@/ui/display/Facts';
import { addDecimals, subtractDecimals } from '@/ui/money/decimal';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import { BudgetField } from '../put/BudgetField';
import { Forecast } from '../put/Forecast';
import styles from '../put/PutForm.module.css';
import { PasswordNext, PutNotices } from '../put/PutNotices';
import type { Price } from '../put/put-price';
import own from './AddBudget.module.css';
import { useAddBudgetForm } from './use-add-budget';

type Props = { plan: PlanDetail; addable: Addable; onDone: () => void };

/** The amount, what it pays for and what it leads to, then the password. */
export function AddBudgetForm({ plan, addable, onDone }: Props) {
  const { t } = useTranslation();
  const limits = { min: formatMoney(addable.min), max: formatMoney(addable.max) };
  const form = useAddBudgetForm({ plan, addable, limits, onDone });
  const { amount, property } = form;
  const agreed = { ...plan.product, put_rule: plan.put_rule, payout: plan.payout };
  return (
    <Form {...form.props} className={styles.form}>
      <p className={own.intro}>{t('plans.addition.intro')}</p>
      <BudgetField
        field={form.amountField}
        min={addable.min}
        max={addable.max}
        property={property}
        tooDear={form.tooDear}
      />
      <Forecast price={form.price} loading={false} product={agreed} />
      <Result plan={plan} price={form.price} property={property} />
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
          <strong>{formatMoney(amount || '0')}</strong>
        </div>
      </TransactionPasswordDialog>
    </Form>
  );
}

type ResultProps = {
  plan: PlanDetail;
  price: Price | null;
  property: Property | undefined;
};

/** What is held now, and what budget and balance are afterwards. */
function Result({ plan, price, property }: ResultProps) {
  const { t } = useTranslation();
  const amount = price?.budget ?? '0';
  const facts = [
    { label: t('plans.heldNow'), value: formatMoney(amount), hint: t('plans.heldHint') },
    {
      label: t('plans.addition.budgetAfter'),
      value: formatMoney(addDecimals(plan.put_amount, amount)),
    },
    property &&
      price?.affordable && {
        label: t('plans.availableAfter'),
        value: formatMoney(subtractDecimals(property.available, amount)),
      },
  ];
  return <Facts facts={facts} />;
}
