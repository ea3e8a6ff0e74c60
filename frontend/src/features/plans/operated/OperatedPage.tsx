import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Tabs } from '@/ui/controls/Tabs';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { CurrentFollow } from './CurrentFollow';
import { FollowForm } from './FollowForm';
import { FollowRecords } from './FollowRecords';
import styles from './OperatedPage.module.css';
import { OwnIdCard } from './OwnIdCard';
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
      <p className={styles.soft}>{t('operated.explained')}</p>
      {first.current && <CurrentFollow current={first.current} />}
      <FollowForm current={first.current} own={first.own} />
      {first.own && <OwnIdCard own={first.own} />}
    </div>
  );
}
