import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCurrency } from '@/api/queries/currency';
import { formatCount, formatMoney, formatReturn } from '@/i18n/format';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { StatusTag } from '@/ui/display/StatusTag';
import { resultTones, resultWord, signOf } from '@/ui/money/result-sign';
import { productResultsQuery } from '../queries';
import { comparePath } from './compare-address';

/** The results of the user's plans on the product; nothing if there are none. */
export function ProductResults({ product }: { product: string }) {
  const { t } = useTranslation();
  useCurrency();
  const { data } = useQuery(productResultsQuery(product));
  if (!data || data.plans === 0) return null;
  const { delivery, ratios } = data;
  const sign = signOf(ratios.profit);
  const word = resultWord(ratios.profit, delivery.consumed);
  const profit = (
    <>
      {formatMoney(ratios.profit, { sign: true })}{' '}
      <StatusTag tone={resultTones[sign]}>{t(`plans.result.${word}`)}</StatusTag>
    </>
  );
  return (
    <Card title={t('plans.compare.results')}>
      <Facts
        facts={[
          { label: t('adCenter.figures.profit'), value: profit },
          { label: t('plans.roi'), value: formatReturn(ratios.return_on_spend) },
          { label: t('plans.consumed'), value: formatMoney(delivery.consumed) },
          { label: t('plans.conversions'), value: formatCount(delivery.conversions) },
          { label: t('app.title.plans'), value: formatCount(data.plans) },
        ]}
      />
      <LinkButton variant="secondary" to={comparePath({ of: 'products', named: [product] })}>
        {t('plans.compare.others')}
      </LinkButton>
    </Card>
  );
}
