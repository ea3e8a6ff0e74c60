import { useTranslation } from 'react-i18next';
import { LinkButton } from '@/ui/controls/LinkButton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { LostPicture } from '@/ui/illustrations/LostPicture';

const texts = {
  plan: ['plans.planGone', 'plans.planGoneHint'],
  event: ['plans.events.gone', 'plans.planGoneHint'],
  goods: ['plans.goodsGone', 'plans.goodsGoneHint'],
} as const;

/** Shown for an old address; leads to the existing plans. */
export function NotFound({ what }: { what: keyof typeof texts }) {
  const { t } = useTranslation();
  const [title, hint] = texts[what];
  return (
    <EmptyState
      picture={<LostPicture />}
      title={t(title)}
      description={t(hint)}
      action={<LinkButton to="/plan">{t('ui.wayPlans')}</LinkButton>}
    />
  );
}
