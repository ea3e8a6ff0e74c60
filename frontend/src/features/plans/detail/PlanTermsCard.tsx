import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ContentType, PlanDetail } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { CreativePreview } from '../CreativePreview';

/** The agreed terms: the product may have changed since. */
export function PlanTermsCard({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const { put_rule: rule } = plan;
  // An offer still has the choice among the product's content types.
  const forms = plan.content_type ? [plan.content_type as ContentType] : plan.product.content_types;
  const facts = [
    {
      label: t('plans.form'),
      value: forms.map((form) => t(`plans.contentType.${form}`)).join(' · '),
    },
    {
      label: t('plans.rule'),
      value: t(`plans.price.${rule.pricing}`, { price: formatMoney(rule.price) }),
      hint: t('plans.ruleHint'),
    },
    { label: t('plans.runs'), value: t('plans.days', { count: rule.days }) },
    { label: t('plans.offeredBy'), value: offeredBy(plan, t) },
    { label: t('plans.created'), value: formatDateTime(plan.created_at) },
    plan.put_at && { label: t('plans.putOn'), value: formatDateTime(plan.put_at) },
    plan.game_description && {
      label: t('plans.contentType.game_description'),
      value: plan.game_description,
    },
  ];
  return (
    <Card title={t('plans.details')}>
      {plan.content && <CreativePreview creative={plan.content} />}
      <p>{plan.product.summary}</p>
      <Facts facts={facts} />
    </Card>
  );
}

function offeredBy({ origin, followed_id: id }: PlanDetail, t: TFunction): string {
  if (origin === 'followed' && id) return t('operated.offerFrom', { id });
  return t(origin === 'own' ? 'plans.chosenByYou' : 'plans.byProvider');
}
