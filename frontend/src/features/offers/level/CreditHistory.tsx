import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CreditChange } from '@/api/types';
import { formatCount, formatDateTime } from '@/i18n/format';
import { planPath } from '@/pages';
import { ListCard } from '@/shared/page/ListCard';
import { Link } from '@/ui/controls/Link';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { FlowPicture } from '@/ui/illustrations/FlowPicture';
import styles from './LevelPage.module.css';
import { PointsChange } from './PointsChange';
import { creditQuery } from './queries';

/** Each change of the score, and its cause. */
export function CreditHistory() {
  const { t } = useTranslation();
  const history = useInfiniteQuery(creditQuery());
  return (
    <ListCard
      query={history}
      title={t('level.history')}
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
