import { useTranslation } from 'react-i18next';
import { useUserInfo } from '@/api/user';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { ErrorState } from '@/ui/feedback/ErrorState';

/** A session whose user is not stored in the browser: the page waits for the server's answer. */
export function MissingUser() {
  const { t } = useTranslation();
  const { isPending, isFetching, refetch } = useUserInfo();
  if (isPending) return <CardSkeleton />;
  return <ErrorState message={t('app.error.noUser')} onRetry={refetch} retrying={isFetching} />;
}
