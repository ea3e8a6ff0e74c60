import { useTranslation } from 'react-i18next';
import type { User } from '@/api/types';
import { formatCount, formatDate } from '@/i18n/format';
import { vipUntil } from '@/shared/account/vip';
import { Avatar } from '@/ui/images/Avatar';
import styles from './ProfileCard.module.css';

export function ProfileCard({ user }: { user: User }) {
  const { t } = useTranslation();
  const name = user.nickname || user.username;
  const vip = vipUntil(user);
  return (
    <section className={styles.card} aria-label={t('me.profile')}>
      <Avatar name={name} picture={user.avatar} size={72} />
      <div className={styles.text}>
        <h2 className={styles.name}>{name}</h2>
        <p className={styles.username}>
          <span className="visually-hidden">{t('auth.username')}: </span>
          {user.username}
        </p>
        <ul className={styles.tags}>
          <li>{t('me.levelTag', { level: formatCount(user.level) })}</li>
          {vip && <li>{t('me.vipUntil', { date: formatDate(vip) })}</li>}
        </ul>
      </div>
    </section>
  );
}
