import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/ui/feedback/Skeleton';
import styles from './Overview.module.css';

/** As high as the figures and the chart that it replaces, so that nothing below moves. */
export function FiguresSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" className={styles.panel}>
      <span className="visually-hidden">{t('ui.loading')}</span>
      <div className={styles.figures}>
        {Array.from({ length: 8 }, (_, figure) => figure).map((figure) => (
          <Skeleton key={figure} height="4.5rem" />
        ))}
      </div>
      <Skeleton height="19rem" />
    </div>
  );
}
