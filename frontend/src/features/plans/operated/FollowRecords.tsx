import { useTranslation } from 'react-i18next';
import type { FollowRecord } from '@/api/types';
import { formatDate } from '@/i18n/format';
import { LinkButton } from '@/ui/controls/LinkButton';
import { StatusTag } from '@/ui/display/StatusTag';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { TeamPicture } from '@/ui/illustrations/TeamPicture';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import styles from './OperatedPage.module.css';
import type { useFollows } from './queries';

export function FollowRecords({ follows }: { follows: ReturnType<typeof useFollows> }) {
  const { t } = useTranslation();
  return (
    <InfiniteList
      query={follows}
      label={t('operated.tab.records')}
      // The same id can be followed again later.
      keyOf={(record) => `${record.operated_id} ${record.followed_at}`}
      renderItem={(record) => <RecordRow record={record} />}
      spaced
      empty={
        <EmptyState
          picture={<TeamPicture />}
          title={t('operated.emptyTitle')}
          description={t('operated.emptyText')}
          action={<LinkButton to="/ad-center/operated">{t('operated.follow')}</LinkButton>}
        />
      }
    />
  );
}

function RecordRow({ record }: { record: FollowRecord }) {
  const { t } = useTranslation();
  const { operated_id: id, name, followed_at: from, ended_at: to } = record;
  return (
    <div className={styles.record}>
      <div className={styles.recordText}>
        <strong>{id}</strong>
        <span>{name}</span>
        <span className={styles.soft}>
          {to
            ? t('operated.period', { from: formatDate(from), to: formatDate(to) })
            : t('operated.periodOpen', { from: formatDate(from) })}
        </span>
      </div>
      {to ? (
        <StatusTag>{t('operated.ended')}</StatusTag>
      ) : (
        <StatusTag tone="positive">{t('operated.following')}</StatusTag>
      )}
    </div>
  );
}
