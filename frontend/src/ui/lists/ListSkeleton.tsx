import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/ui/feedback/Skeleton';
import styles from '@/ui/feedback/Skeleton.module.css';

/** Stands in for the rows of a list. */
export function ListSkeleton({ rows = 4 }: { rows?: number }) {
  const { t } = useTranslation();
  return (
    <div role="status" className={styles.rows}>
      <span className="visually-hidden">{t('ui.loading')}</span>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className={styles.row}>
          <Skeleton width="42px" height="42px" round />
          <div className={styles.lines}>
            <Skeleton width="70%" height="14px" />
            <Skeleton width="40%" height="12px" />
          </div>
          <Skeleton height="16px" />
        </div>
      ))}
    </div>
  );
}
