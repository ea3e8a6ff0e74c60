import { useTranslation } from 'react-i18next';
import { openCustomerService } from '@/shared/service/customer-service';
import { Link } from '@/ui/controls/Link';
import { Icon, type IconName } from '@/ui/display/Icon';
import styles from './Shortcuts.module.css';

const pages = [
  ['coupons', '/ad-center/coupons', 'coupon'],
  ['activities', '/ad-center/activities', 'gift'],
  ['vip', '/ad-center/level', 'star'],
  ['operated', '/ad-center/operated', 'users'],
  ['records', '/ad-center/operated?tab=records', 'list'],
  ['feedback', '/ad-center/feedback', 'message'],
  ['faq', '/ad-center/questions', 'question'],
  ['rules', '/ad-center/rules', 'shield'],
] as const satisfies readonly (readonly [string, string, IconName])[];

export function Shortcuts() {
  const { t } = useTranslation();
  return (
    <nav className={styles.links} aria-label={t('adCenter.links')}>
      {pages.map(([key, to, icon]) => (
        <Link key={key} className={styles.link} to={to}>
          <Icon name={icon} />
          <span>{t(`adCenter.link.${key}`)}</span>
        </Link>
      ))}
      <button type="button" className={styles.link} onClick={() => openCustomerService()}>
        <Icon name="headset" />
        <span>{t('adCenter.link.service')}</span>
      </button>
    </nav>
  );
}
