import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CreditChange } from '@/api/types';
import { formatCount, formatDateTime } from '@/i18n/format';
import { planPath } from '@/pages';
import { Link } from '@/ui/controls/Link';
import { Card } from '@/ui/display/Card';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { FlowPicture } from '@/ui/illustrations/FlowPicture';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import styles from './LevelPage.module.css';
import { PointsChange } from './PointsChange';
import { creditQuery } from './queries';

/** Each change of the score, and its cause. */
export function CreditHistory() {
  const { t } = useTranslation();
  const history = useInfiniteQuery(creditQuery());
  return (
    <Card title={t('level.history')}>
      <InfiniteList
        query={history}
        label={t('level.history')}
        keyOf={({ at, reason, ref }) => `${at} ${reason} ${ref.type} ${ref.id}`}
        renderItem={(entry) => <Entry entry={entry} />}
        empty={
          <EmptyState
            picture={<FlowPicture />}
            title={t('level.noHistory')}
            description={t('level.noHistoryHint')}
          />
        }
      />
    </Card>
  );
}

function Entry({ entry }: { entry: CreditChange }) {
  const { t } = useTranslation();
  return (
    <div className={styles.rule}>
      <span className={styles.entry}>
        <span>{entry.text}</span>
        <span className={styles.hint}>
          {formatDateTime(entry.at)} · {t('level.after', { score: formatCount(entry.score) })}
        </span>
        {entry.ref.type === 'plan' && (
          <Link className={styles.ref} to={planPath(entry.ref.id)}>
            {t('level.seePlan')}
          </Link>
        )}
      </span>
      <PointsChange points={entry.change} />
    </div>
  );
}
