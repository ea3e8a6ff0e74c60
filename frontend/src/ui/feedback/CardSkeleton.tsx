import { useTranslation } from 'react-i18next';
import { Skeleton } from './Skeleton';
import styles from './Skeleton.module.css';

/** Several of them below each other, as the page's own cards are. */
export function CardSkeletons({ lines, className }: { lines: number[]; className?: string }) {
  return (
    <div className={className}>
      {lines.map((count, at) => (
        <CardSkeleton key={`${at} ${count}`} lines={count} />
      ))}
    </div>
  );
}

/** Stands in for a card with a large figure and some lines. */
export function CardSkeleton({ lines = 2 }: { lines?: number }) {
  const { t } = useTranslation();
  return (
    <div role="status" className={styles.card}>
      <span className="visually-hidden">{t('ui.loading')}</span>
      <Skeleton width="35%" height="14px" />
      <Skeleton width="60%" height="36px" />
      {Array.from({ length: lines }, (_, line) => line).map((line) => (
        <Skeleton key={line} height="14px" width={line % 2 ? '75%' : '100%'} />
      ))}
    </div>
  );
}
