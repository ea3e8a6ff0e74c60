import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ContentType, PlanDetail } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { CopyRow } from '@/ui/controls/CopyRow';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { CreativePreview } from '../CreativePreview';
import { TargetingCard } from '../TargetingCard';
import styles from './TrackingCard.module.css';

/** The plan's terms and audience, and its own links once there are any. */
export function PlanBought({ plan }: { plan: PlanDetail }) {
  return (
    <>
      <PlanTermsCard plan={plan} />
      <TargetingCard targeting={plan.targeting} />
      {plan.status !== 'waiting_to_put' && <TrackingCard tracking={plan.tracking} />}
    </>
  );
}

const links = ['landing_url', 'click_url', 'pixel_url', 'postback_url'] as const;

/** The plan's own links, to share. */
function TrackingCard({ tracking }: { tracking: PlanDetail['tracking'] }) {
  const { t } = useTranslation();
  return (
    <Card title={t('plans.tracking.title')}>
      <p className="intro">{t('plans.tracking.hint')}</p>
      <ul className={styles.links}>
        {links.map((link) => (
          <li key={link}>
            <CopyRow
              label={t(`plans.tracking.${link}`)}
              text={tracking[link]}
              copies={t('plans.tracking.copy', { link: t(`plans.tracking.${link}`) })}
              cut
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The agreed terms: the product may have changed since. */
function PlanTermsCard({ plan }: { plan: PlanDetail }) {
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
