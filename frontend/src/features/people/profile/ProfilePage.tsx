import { useUserInfo } from '@/api/use-user-info';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { ErrorState } from '@/ui/feedback/ErrorState';
import styles from '../me/MePage.module.css';
import { AvatarCard } from './AvatarCard';
import { ProfileForm } from './ProfileForm';

export function ProfilePage() {
  const user = useUserInfo();
  if (user.data) {
    return (
      <div className={styles.page}>
        <AvatarCard user={user.data} />
        <ProfileForm user={user.data} />
      </div>
    );
  }
  return (
    <div className={styles.page}>
      {user.isError ? (
        <ErrorState onRetry={user.refetch} retrying={user.isFetching} />
      ) : (
        <>
          <CardSkeleton />
          <CardSkeleton lines={5} />
        </>
      )}
    </div>
  );
}
