import { useTranslation } from 'react-i18next';
import { ErrorState } from '@/ui/feedback/ErrorState';

/** A page that cannot be drawn says so, and offers a way on. */
export function PageFailed() {
  const { t } = useTranslation();
  return <ErrorState message={t('app.failed.title')} onRetry={() => window.location.reload()} />;
}
