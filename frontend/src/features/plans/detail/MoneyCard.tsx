import { useTranslation } from 'react-i18next';
import type { Currency, PlanDetail } from '@/api/types';
import { formatDate, formatMoney, formatPercent } from '@/i18n/format';
import { Card } from '@/ui/display/Card';
import { type Fact, Facts } from '@/ui/display/Facts';
import { couponHeadline } from '@/ui/money/coupon-text';
import { isPositive, shareOf, subtractDecimals } from '@/ui/money/decimal';

/** Where the budget came from, where it went, and what settlement pays and costs. */
export function MoneyCard({ plan, currency }: { plan: PlanDetail; currency: Currency }) {
  const { t } = useTranslation();
  const { decimals } = currency;
  const money = (value: string) => formatMoney(value, currency);
  const given = subtractDecimals(plan.put_amount, plan.paid_amount, decimals);
  // What was used and is not billed is still held.
  const unbilled = subtractDecimals(plan.put_amount, plan.billed, decimals);
  const left = subtractDecimals(unbilled, plan.returned, decimals);
  const settled = plan.status === 'settled';
  const rate = plan.fee_rate;
  const fee = settled ? plan.fee : shareOf(plan.revenue, rate, decimals);

  const facts: Fact[] = [
    {
      label: t('plans.paid'),
      value: money(plan.paid_amount),
      hint: isPositive(plan.added_amount)
        ? t('plans.addition.later', { amount: money(plan.added_amount) })
        : undefined,
    },
  ];
  if (plan.coupon) {
    facts.push({
      label: t('plans.couponAndCredit'),
      value: money(given),
      hint: `${plan.coupon.name}: ${couponHeadline(plan.coupon, currency, t)}`,
    });
  } else if (isPositive(given)) {
    facts.push({ label: t('plans.credit'), value: money(given) });
  }
  const own = plan.to_be_consumed;
  facts.push({
    label: t('plans.consumed'),
    value: money(plan.consumed),
    hint: isPositive(plan.platform_paid)
      ? t('plans.platformPaid', { amount: money(plan.platform_paid) })
      : undefined,
  });
  if (isPositive(plan.refunded)) {
    facts.push({
      label: t('plans.refunded'),
      value: money(plan.refunded),
      hint: t('plans.refundedHint'),
    });
  }
  if (isPositive(plan.returned)) {
    facts.push({ label: t('plans.returned'), value: money(plan.returned) });
  }
  if (isPositive(left)) {
    facts.push({
      label: t('plans.held'),
      value: money(left),
      // The part that the wallet counts; the rest is the coupon's part and promotional credit.
      hint: own === left ? undefined : t('plans.heldOwn', { amount: money(own) }),
    });
  }
  if (isPositive(plan.unbilled)) {
    facts.push({
      label: t('wallet.unbilled'),
      value: money(plan.unbilled),
      hint: t('wallet.unbilledHint'),
    });
  }
  facts.push(
    {
      label: t(settled ? 'plans.revenueSettled' : 'plans.revenuePending'),
      value: money(plan.revenue),
      hint: settled ? undefined : t('plans.revenuePendingHint'),
    },
    {
      label: t('plans.fee', { percent: formatPercent(rate) }),
      value: money(isPositive(fee) ? `-${fee}` : '0'),
      hint: settled ? undefined : t('plans.feeSoFar'),
    },
    {
      label: t(settled ? 'plans.receivedNet' : 'plans.pendingNet'),
      value: money(subtractDecimals(plan.revenue, fee, decimals)),
    },
  );
  const date = plan.settled_at ?? plan.settles_at;
  if (date) {
    facts.push({
      label: t(settled ? 'plans.settledOn' : 'plans.settlesOn'),
      value: formatDate(date),
      hint: settled ? undefined : t('plans.settlesOnHint'),
    });
  }
  return (
    <Card title={t('plans.money')}>
      <Facts facts={facts} />
    </Card>
  );
}
