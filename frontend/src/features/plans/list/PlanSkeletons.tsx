import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/ui/feedback/Skeleton';
import styles from './PlanListPage.module.css';

const cards = [1, 2, 3, 4, 5, 6];

/** As high as the cards that come. */
export function PlanSkeletons() {
  const { t } = useTranslation();
  return (
    <div role="status" className={styles.loading}>
      <span className="visually-hidden">{t('ui.loading')}</span>
      {cards.map((card) => (
        <Skeleton key={card} height="4rem" />
      ))}
    </div>
  );
}
