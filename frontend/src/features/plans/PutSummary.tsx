import { useTranslation } from 'react-i18next';
import type { Currency, Product } from '@/api/types';
import { formatCount, formatMoney, formatPercent } from '@/i18n/format';
import { compareDecimals, isPositive, shareOf, subtractDecimals } from '@/ui/decimal';
import { type Fact, Facts } from '@/ui/Facts';
import { unitsFor } from './put-check';

type Props = {
  amount: string;
  product: Product;
  currency: Currency;
  available: string | undefined;
};

/** Everything the put costs and what it cannot promise, before anything is confirmed. */
export function PutSummary({ amount, product, currency, available }: Props) {
  const { t } = useTranslation();
  const money = (value: string) => formatMoney(value, currency);
  const { put_rule: rule, payout, fee_rate } = product;
  const fee = shareOf(payout.amount, fee_rate, currency.decimals);
  const typed = amount !== '' && isPositive(amount);

  const facts: Fact[] = [
    { label: t('plans.heldNow'), value: money(typed ? amount : '0'), hint: t('plans.heldHint') },
    {
      label: t(`plans.buys.${rule.pricing}`),
      value: t('plans.atMost', { count: formatCount(unitsFor(amount, rule, currency.decimals)) }),
      hint: t(`plans.price.${rule.pricing}`, { price: money(rule.price) }),
    },
    { label: t('plans.feeNow'), value: money('0') },
    {
      label: t('plans.feeLater', { percent: formatPercent(fee_rate) }),
      value: money(fee),
      hint: t('plans.feeLaterHint', { payout: money(payout.amount) }),
    },
  ];
  if (typed && available !== undefined && compareDecimals(available, amount) >= 0) {
    facts.push({
      label: t('plans.availableAfter'),
      value: money(subtractDecimals(available, amount, currency.decimals)),
    });
  }
  return <Facts facts={facts} />;
}
