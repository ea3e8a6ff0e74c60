import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/ui/feedback/Skeleton';
import styles from './Overview.module.css';

const tiles = ['revenue', 'profit', 'consumed', 'invested'];

/** As high as the figures and the chart that it replaces, so that nothing below moves. */
export function FiguresSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" className={styles.panel}>
      <span className="visually-hidden">{t('ui.loading')}</span>
      <div className={styles.lead}>
        {tiles.map((tile) => (
          <Skeleton key={tile} height="4.75rem" />
        ))}
      </div>
      <Skeleton height="21rem" />
      <Skeleton height="10rem" />
    </div>
  );
}
