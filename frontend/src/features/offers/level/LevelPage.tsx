import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import type { CreditChange, Level } from '@/api/types';
import { useUserInfo } from '@/api/user';
import { formatChange, formatCount, formatDateTime } from '@/i18n/format';
import { planPath } from '@/pages';
import { ListCard } from '@/shared/page/ListCard';
import { Ring } from '@/ui/charts/Ring';
import { Link } from '@/ui/controls/Link';
import { Card } from '@/ui/display/Card';
import { Parts } from '@/ui/display/Parts';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { FlowPicture } from '@/ui/illustrations/FlowPicture';
import { LevelCard, LevelSteps } from './LevelCard';
import styles from './LevelPage.module.css';
import { creditQuery, levelQuery } from './queries';
import { VipCard } from './VipCard';

export function LevelPage() {
  const level = useQuery(levelQuery());
  const property = useProperty();
  // The current end of VIP.
  useUserInfo();
  // Requested meanwhile: the list is below what comes first.
  useInfiniteQuery(creditQuery());
  // Cards that appear one by one would push each other down.
  if (level.isPending || property.isPending)
    return <CardSkeletons className={styles.page} lines={[2, 6]} />;
  return (
    <div className={styles.page}>
      {!(level.data && property.data) && <Unanswered of={[level, property]} />}
      {level.data && <LevelCard level={level.data} />}
      {property.data && <VipCard property={property.data} />}
      {level.data && <LevelSteps level={level.data} />}
      {level.data && <CreditCard level={level.data} />}
      <CreditHistory />
    </div>
  );
}

/** The credit score with its whole formula. */
function CreditCard({ level }: { level: Level }) {
  const { t } = useTranslation();
  const { credit_score: score, credit_formula: formula } = level;
  const { start, lowest, highest } = formula;
  const part = Math.round(((score - lowest) / (highest - lowest)) * 100);
  return (
    <Card title={t('level.score')}>
      <div className={styles.score}>
        <Ring value={part} label={t('level.score')}>
          <strong>{formatCount(score)}</strong>
        </Ring>
        <span className={styles.hint}>
          {t('level.between', { lowest: formatCount(lowest), highest: formatCount(highest) })}
        </span>
      </div>
      <p className={styles.hint}>{t('level.formula', { start: formatCount(start) })}</p>
      <ul className={styles.rules}>
        {formula.rules.map((rule) => (
          <li key={rule.reason} className={styles.rule}>
            <span>{rule.text}</span>
            <PointsChange points={rule.change} />
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{t('level.scoreNote')}</p>
    </Card>
  );
}

/** `+2`, `−20`: points with their sign. */
function PointsChange({ points }: { points: number }) {
  return (
    <span className={styles.change} data-positive={points > 0}>
      {formatChange(points)}
    </span>
  );
}

/** Each change of the score, and its cause. */
function CreditHistory() {
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
        <span className={styles.origin}>
          <span className={styles.hint}>
            <Parts
              parts={[
                formatDateTime(entry.at),
                t('level.after', { score: formatCount(entry.score) }),
              ]}
            />
          </span>
          {entry.ref.type === 'plan' && (
            <Link className={styles.ref} to={planPath(entry.ref.id)}>
              {t('level.seePlan')}
            </Link>
          )}
        </span>
      </span>
      <PointsChange points={entry.change} />
    </div>
  );
}
