import { useUserInfo } from '@/api/use-user-info';
import { CardSkeleton } from '@/ui/CardSkeleton';
import { ErrorState } from '@/ui/ErrorState';
import { CreditCard } from './CreditCard';
import { CreditHistory } from './CreditHistory';
import { LevelCard } from './LevelCard';
import styles from './LevelPage.module.css';
import { LevelSteps } from './LevelSteps';
import { useLevel } from './queries';
import { VipCard } from './VipCard';

export function LevelPage() {
  const level = useLevel();
  // Until when VIP runs, as it is now.
  useUserInfo();
  return (
    <div className={styles.page}>
      {level.isPending && <CardSkeleton lines={2} />}
      {!level.data && level.isError && (
        <ErrorState onRetry={level.refetch} retrying={level.isFetching} />
      )}
      {level.data && <LevelCard level={level.data} />}
      <VipCard />
      {level.data && <LevelSteps level={level.data} />}
      {level.data && <CreditCard level={level.data} />}
      <CreditHistory />
    </div>
  );
}
