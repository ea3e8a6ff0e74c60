import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/ui/feedback/Skeleton';
import styles from './Overview.module.css';

/** As high as the figures and the chart that it replaces, so that nothing below moves. */
export function FiguresSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" className={styles.panel}>
      <span className="visually-hidden">{t('ui.loading')}</span>
      <Skeleton height="13rem" />
      <Skeleton height="17rem" />
    </div>
  );
}
