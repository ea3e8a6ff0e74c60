import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CreditChange } from '@/api/types';
import { formatCount, formatDateTime } from '@/i18n/format';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { Change } from './Change';
import styles from './LevelPage.module.css';

/** Each change of the score, with what it came from. */
export function CreditHistory({ history }: { history: CreditChange[] }) {
  const { t } = useTranslation();
  return (
    <Card title={t('level.history')}>
      {history.length === 0 && (
        <EmptyState title={t('level.noHistory')} description={t('level.noHistoryHint')} />
      )}
      {history.length > 0 && (
        <ul className={styles.rules}>
          {history.map((entry) => (
            <li key={`${entry.at} ${entry.reason} ${entry.ref.id}`} className={styles.rule}>
              <span className={styles.entry}>
                <span>{entry.text}</span>
                <span className={styles.hint}>
                  {formatDateTime(entry.at)} ·{' '}
                  {t('level.after', { score: formatCount(entry.score) })}
                </span>
                {entry.ref.type === 'plan' && (
                  <Link
                    className={styles.ref}
                    to={`/plan/detail?id=${encodeURIComponent(entry.ref.id)}`}
                  >
                    {t('level.seePlan')}
                  </Link>
                )}
              </span>
              <Change points={entry.change} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
