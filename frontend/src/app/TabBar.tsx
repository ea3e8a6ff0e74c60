import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { Icon } from '@/ui/Icon';
import { Link } from '@/ui/Link';
import styles from './TabBar.module.css';

const tabs = [
  { to: '/ad-center', icon: 'chart', text: 'app.tab.adCenter' },
  { to: '/plan', icon: 'plans', text: 'app.tab.plans' },
  { to: '/wallet', icon: 'wallet', text: 'app.tab.wallet' },
  { to: '/me', icon: 'user', text: 'app.tab.me' },
] as const;

export function TabBar() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <nav className={styles.bar} aria-label={t('app.tab.label')}>
      <div className={styles.inner}>
        {tabs.map((tab) => (
          // The four pages are peers: going between them must not pile up history.
          <Link
            key={tab.to}
            to={tab.to}
            replace
            className={styles.tab}
            aria-current={tab.to === pathname ? 'page' : undefined}
          >
            <Icon name={tab.icon} />
            <span>{t(tab.text)}</span>
          </Link>
        ))}
      </div>
    </nav>
  );
}
