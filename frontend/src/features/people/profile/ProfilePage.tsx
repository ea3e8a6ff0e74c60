import { useUserInfo } from '@/api/user';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import styles from '../me/MePage.module.css';
import { AvatarCard } from './AvatarCard';
import { ProfileForm } from './ProfileForm';

export function ProfilePage() {
  const user = useUserInfo();
  // A form is filled with the server's data, not with stored data.
  if (user.data && user.dataUpdatedAt > 0) {
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
        <Unanswered of={user} />
      ) : (
        <>
          <CardSkeleton />
          <CardSkeleton lines={5} />
        </>
      )}
    </div>
  );
}
