import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { LostPicture } from '@/ui/illustrations/LostPicture';

/** For pages that a link of staff opens, without an account: the link opens nothing, or no longer. */
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
