import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { openCustomerService } from '@/app/customer-service';
import { Icon } from '@/ui/Icon';
import styles from './Shortcuts.module.css';

export function Shortcuts() {
  const { t } = useTranslation();
  return (
    <nav className={styles.links} aria-label={t('adCenter.links')}>
      <Link className={styles.link} to="/plan">
        <Icon name="plans" />
        <span>{t('adCenter.plans')}</span>
      </Link>
      <Link className={styles.link} to="/wallet">
        <Icon name="wallet" />
        <span>{t('adCenter.wallet')}</span>
      </Link>
      <button type="button" className={styles.link} onClick={() => openCustomerService()}>
        <Icon name="headset" />
        <span>{t('adCenter.service')}</span>
      </button>
    </nav>
  );
}
