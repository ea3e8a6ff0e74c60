import { QueryClientProvider } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/query-client';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { ErrorState } from '@/ui/feedback/ErrorState';
import { LostPicture } from '@/ui/illustrations/LostPicture';
import { FiguresCard } from './FiguresCard';
import { MoneyCard } from './MoneyCard';
import { MonthsCard } from './MonthsCard';
import styles from './PublisherPage.module.css';
import { usePublisher } from './queries';
import { TagsCard } from './TagsCard';

/** What a publisher reads of itself, by a link of staff; it has no account and no session. */
export function PublisherPage() {
  const [search] = useSearchParams();
  const link = search.get('link');
  return (
    <QueryClientProvider client={queryClient}>
      {link ? <Page link={link} /> : <Gone />}
    </QueryClientProvider>
  );
}

function Gone() {
  const { t } = useTranslation();
  return (
    <EmptyState
      picture={<LostPicture />}
      title={t('publisher.gone')}
      description={t('publisher.goneText')}
    />
  );
}

function Page({ link }: { link: string }) {
  const publisher = usePublisher(link);
  const { data: info, error } = publisher;
  if (error instanceof ApiError && error.code === 401) return <Gone />;
  if (error && !info) {
    const message = error instanceof ApiError ? error.message : undefined;
    return (
      <ErrorState
        message={message}
        retrying={publisher.isFetching}
        onRetry={() => void publisher.refetch()}
      />
    );
  }
  if (!info) {
    return (
      <div className={styles.page}>
        <CardSkeleton lines={4} />
        <CardSkeleton lines={6} />
      </div>
    );
  }
  return (
    <div className={styles.page}>
      <MoneyCard info={info} />
      <FiguresCard link={link} currency={info.currency} />
      <TagsCard link={link} />
      <MonthsCard link={link} currency={info.currency} />
    </div>
  );
}
