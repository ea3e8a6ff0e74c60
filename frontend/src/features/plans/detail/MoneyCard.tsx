import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { formatMoney, formatPercent } from '@/i18n/format';
import { billedBy } from '@/shared/terms/billed-by';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { couponHeadline } from '@/ui/money/coupon-text';
import { isPositive, subtractDecimals } from '@/ui/money/decimal';
import { feeOf, settlementFact } from '../plan-status';

/** The sources and uses of the budget, and what settlement pays and costs. */
export function MoneyCard({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const given = subtractDecimals(plan.put_amount, plan.paid_amount);
  // The used amount that is not billed yet is still held.
  const unbilled = subtractDecimals(plan.put_amount, plan.billed);
  const left = subtractDecimals(unbilled, plan.returned);
  const own = plan.to_be_consumed;
  const settled = plan.status === 'settled';
  const rate = plan.fee_rate;
  const fee = feeOf(plan);

  const facts = [
    {
      label: t('plans.paid'),
      value: formatMoney(plan.paid_amount),
      hint: isPositive(plan.added_amount)
        ? t('plans.addition.later', { amount: formatMoney(plan.added_amount) })
        : undefined,
    },
    plan.coupon
      ? {
          label: t('plans.couponAndCredit'),
          value: formatMoney(given),
          hint: `${plan.coupon.name}: ${couponHeadline(plan.coupon, t)}`,
        }
      : isPositive(given) && { label: t('plans.credit'), value: formatMoney(given) },
    {
      label: t('plans.consumed'),
      value: formatMoney(plan.consumed),
      hint: isPositive(plan.platform_paid)
        ? t('plans.platformPaid', { amount: formatMoney(plan.platform_paid) })
        : undefined,
    },
    isPositive(plan.refunded) && {
      label: t('plans.refunded'),
      value: formatMoney(plan.refunded),
      hint: t('plans.refundedHint'),
    },
    isPositive(plan.returned) && { label: t('plans.returned'), value: formatMoney(plan.returned) },
    isPositive(left) && {
      label: t('plans.held'),
      value: formatMoney(left),
      // The part that the wallet counts; the rest is the coupon's part and promotional credit.
      hint: own === left ? undefined : t('plans.heldOwn', { amount: formatMoney(own) }),
    },
    isPositive(plan.unbilled) && {
      label: t('wallet.unbilled'),
      value: formatMoney(plan.unbilled),
      hint: t('wallet.unbilledHint', { time: billedBy() }),
    },
    {
      label: t(settled ? 'plans.revenueSettled' : 'plans.revenuePending'),
      value: formatMoney(plan.revenue),
      hint: settled ? undefined : t('plans.revenuePendingHint'),
    },
    {
      label: t('plans.fee', { percent: formatPercent(rate) }),
      value: formatMoney(isPositive(fee) ? `-${fee}` : '0'),
      hint: settled ? undefined : t('plans.feeSoFar'),
    },
    {
      label: t(settled ? 'plans.receivedNet' : 'plans.pendingNet'),
      value: formatMoney(subtractDecimals(plan.revenue, fee)),
    },
    settlementFact(plan, t, t('plans.settlesOnHint')),
  ];
  return (
    <Card title={t('plans.money')}>
      <Facts facts={facts} />
    </Card>
  );
}
