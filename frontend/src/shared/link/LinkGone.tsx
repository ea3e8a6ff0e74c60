import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { LostPicture } from '@/ui/illustrations/LostPicture';

/**
 * For pages that a link from staff opens, without an account: the link is unknown, or no longer
 * valid.
 */
export function LinkGone() {
  const { t } = useTranslation();
  return (
    <EmptyState
      picture={<LostPicture />}
      title={t('publisher.gone')}
      description={t('publisher.goneText')}
    />
  );
}
