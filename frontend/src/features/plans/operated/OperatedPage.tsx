import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { Following, FollowRecord, OwnId } from '@/api/types';
import { formatCount, formatDate } from '@/i18n/format';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { StatusTag } from '@/ui/display/StatusTag';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { TeamPicture } from '@/ui/illustrations/TeamPicture';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import { FollowForm } from './FollowForm';
import styles from './OperatedPage.module.css';
import { useFollows } from './queries';

const tabs = ['follow', 'records'] as const;

export function OperatedPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const shown = tabs.find((tab) => tab === params.get('tab')) ?? 'follow';
  const follows = useFollows();
  return (
    <div className={styles.page}>
      <Tabs
        label={t('operated.tabs')}
        tabs={tabs.map((key) => ({ key, label: t(`operated.tab.${key}`) }))}
        value={shown}
        // Replaced, not added: the back arrow leads out of the page, not through its tabs.
        onChange={(tab) => setParams(tab === 'follow' ? {} : { tab }, { replace: true })}
      >
        {shown === 'follow' ? <Follow follows={follows} /> : <FollowRecords follows={follows} />}
      </Tabs>
    </div>
  );
}

function Follow({ follows }: { follows: ReturnType<typeof useFollows> }) {
  const { t } = useTranslation();
  const first = follows.data?.pages[0];
  if (!first) return <Unanswered of={follows} meanwhile={<CardSkeleton lines={3} />} />;
  return (
    <div className={styles.cards}>
      <p className="intro">{t('operated.explained')}</p>
      {first.current && <CurrentFollow current={first.current} />}
      <FollowForm current={first.current} own={first.own} />
      {first.own && <OwnIdCard own={first.own} />}
    </div>
  );
}

/** The id that others follow the user by, and the number of followers. */
function OwnIdCard({ own }: { own: OwnId }) {
  const { t } = useTranslation();
  return (
    <Card title={t('operated.ownTitle')}>
      <Facts
        facts={[
          { label: t('operated.id'), value: own.operated_id },
          { label: t('operated.name'), value: own.name },
          { label: t('operated.followers'), value: formatCount(own.followers) },
        ]}
      />
      <p className={styles.soft}>{t('operated.own')}</p>
    </Card>
  );
}

function CurrentFollow({ current }: { current: Following }) {
  const { t } = useTranslation();
  return (
    <Card
      title={t('operated.current')}
      aside={<StatusTag tone="positive">{t('operated.following')}</StatusTag>}
    >
      <Facts
        facts={[
          { label: t('operated.id'), value: current.operated_id },
          { label: t('operated.name'), value: current.name },
          { label: t('operated.since'), value: formatDate(current.since) },
        ]}
      />
      <LinkButton to="/plan?status=waiting_to_put" variant="secondary">
        {t('operated.offers')}
      </LinkButton>
    </Card>
  );
}

function FollowRecords({ follows }: { follows: ReturnType<typeof useFollows> }) {
  const { t } = useTranslation();
  return (
    <InfiniteList
      query={follows}
      label={t('operated.tab.records')}
      // The time belongs to the key, because the same ID can be followed again later.
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
