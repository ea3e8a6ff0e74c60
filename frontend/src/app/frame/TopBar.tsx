import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useCachedConfig } from '@/api/queries/cached-config';
import { useSession } from '@/api/session';
import type { Route } from '@/app/routes';
import { useUnread } from '@/shared/account/unread';
import { openCustomerService } from '@/shared/service/customer-service';
import { IconButton } from '@/ui/controls/IconButton';
import { NavBar } from '@/ui/controls/NavBar';
import type { IconName } from '@/ui/display/Icon';
import { ReadOnlyNotice } from './ReadOnlyNotice';
import styles from './TopBar.module.css';

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
  const icons = route.icons.filter(
    (icon) =>
      (icon !== 'notification' || token) && (icon !== 'logout' || user?.entry === 'register'),
  );
  const shows = (icon: Route['icons'][number]) => icons.includes(icon);
  return (
    <header
      className={styles.bar}
      data-transparent={route.transparent && !scrolled}
      data-signs={icons.length}
    >
      <SimulatedNotice />
      <ReadOnlyNotice />
      <NavBar
        title={route.title ? t(route.title) : null}
        back={arrow && <BarButton icon="back" label={t('app.bar.back')} onClick={onBack} />}
      >
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
        {shows('notification') && (
          <BarButton
            icon="bell"
            label={t('app.bar.notifications', { count: unread })}
            onClick={onNotifications}
            count={unread}
          />
        )}
        {shows('logout') && (
          <BarButton icon="logout" label={t('app.bar.logout')} onClick={onLogout} />
        )}
      </NavBar>
    </header>
  );
}

type BarButtonProps = { icon: IconName; label: string; onClick(): void; count?: number };

function BarButton(props: BarButtonProps) {
  return <IconButton size={24} {...props} />;
}

const pastPicture = 64;

function subscribe(listener: () => void) {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}

/**
 * White icons need the page's picture behind them; once it is scrolled away, the bar becomes solid.
 */
function useScrolled(): boolean {
  return useSyncExternalStore(subscribe, () => window.scrollY > pastPicture);
}

/** A demonstration must never be mistaken for real income, so every page says so. */
function SimulatedNotice() {
  const { t } = useTranslation();
  const config = useCachedConfig();
  if (config?.data_source !== 'simulated') return null;
  return <p className={styles.notice}>{t('app.simulated')}</p>;
}
