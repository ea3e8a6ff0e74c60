import { useTranslation } from 'react-i18next';
import { useSession } from '@/api/session';
import type { Route } from '@/app/routes';
import { useUnread } from '@/shared/account/unread';
import { openCustomerService } from '@/shared/service/customer-service';
import { badgeText } from '@/ui/display/badge-text';
import { Icon, type IconName } from '@/ui/display/Icon';
import { SimulatedNotice } from './SimulatedNotice';
import styles from './TopBar.module.css';
import { useScrolled } from './use-scrolled';

type Props = {
  route: Route;
  onBack(): void;
  onLanguage(): void;
  onNotifications(): void;
  onLogout(): void;
};

export function TopBar({ route, onBack, onLanguage, onNotifications, onLogout }: Props) {
  const { t } = useTranslation();
  const { token, user } = useSession();
  const unread = useUnread();
  const scrolled = useScrolled();
  const arrow = route.back !== 'none' && route.back !== 'native';
  const shows = (icon: Route['icons'][number]) => route.icons.includes(icon);
  return (
    <header className={styles.bar} data-transparent={route.transparent && !scrolled}>
      <SimulatedNotice />
      <div className={styles.inner}>
        {arrow && <BarButton icon="back" label={t('app.bar.back')} onClick={onBack} />}
        {route.title && <h1 className={styles.title}>{t(route.title)}</h1>}
        <span className={styles.space} />
        {shows('service') && (
          <BarButton
            icon="headset"
            label={t('app.bar.service')}
            onClick={() => openCustomerService()}
          />
        )}
        {shows('language') && (
          <BarButton icon="globe" label={t('app.bar.language')} onClick={onLanguage} />
        )}
        {shows('notification') && token && (
          <BarButton
            icon="bell"
            label={t('app.bar.notifications', { count: unread })}
            onClick={onNotifications}
            badge={unread > 0 ? badgeText(unread) : null}
          />
        )}
        {shows('logout') && user?.entry === 'register' && (
          <BarButton icon="logout" label={t('app.bar.logout')} onClick={onLogout} />
        )}
      </div>
    </header>
  );
}

type BarButtonProps = { icon: IconName; label: string; onClick(): void; badge?: string | null };

function BarButton({ icon, label, onClick, badge }: BarButtonProps) {
  return (
    <button type="button" className={styles.button} aria-label={label} onClick={onClick}>
      <Icon name={icon} />
      {/* The label says the whole number; a shortened one beside it would contradict it. */}
      {badge && <span className={styles.badge} data-count={badge} aria-hidden="true" />}
    </button>
  );
}
