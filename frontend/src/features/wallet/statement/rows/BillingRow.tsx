import { useTranslation } from 'react-i18next';
import type { DayBilling } from '@/api/types';
import { formatCount, formatMoney } from '@/i18n/format';
import { flowKinds } from '../flow-kinds';
import { partsOf } from './billing-parts';
import { RowAmount } from './RowAmount';
import { RowButton, type RowLook } from './RowButton';

type Props = RowLook & { billing: DayBilling };

/** What was billed to a plan on one day: the user's own money, and beside it the rest. */
export function BillingRow({ billing, plan, hidden, explained, onOpen }: Props) {
  const { t } = useTranslation();
  const { own, others } = partsOf(billing);
  const kind = t('wallet.kind.ad_billing');
  const charges = t('wallet.charges', { count: billing.lines, lines: formatCount(billing.lines) });
  const paid = others.map(({ name, amount }) =>
    t(`wallet.paidBy.${name}`, { amount: hidden ? '••••' : formatMoney(amount) }),
  );
  return (
    <RowButton
      icon={flowKinds.ad_billing}
      title={plan ? plan.product : kind}
      details={[plan && `${kind} · ${plan.number}`, charges]}
      tag={own ? t('wallet.fromBudget') : t(`wallet.notYours.${others[0]?.name ?? 'coupon'}`)}
      amount={<RowAmount amount={own ?? billing.amount} hidden={hidden} theirs={own === null} />}
      beside={own && paid.length > 0 ? paid.join(', ') : null}
      about={explained ? t('wallet.kindAbout.ad_billing') : null}
      onOpen={onOpen}
    />
  );
}
