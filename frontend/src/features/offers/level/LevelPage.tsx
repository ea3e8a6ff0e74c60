import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useProperty } from '@/api/queries/use-property';
import { useUserInfo } from '@/api/user';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { CreditCard, CreditHistory } from './CreditCard';
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
