import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Notification } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { Link } from '@/ui/controls/Link';
import { Icon } from '@/ui/display/Icon';
import styles from './NotificationRow.module.css';

const icons = {
  system_announcement: 'message',
  system_maintenance: 'warning',
  activity: 'plans',
} as const;

/** Where a notice of this kind goes on. */
const leads = {
  service_answered: { to: '/customer', text: 'app.notifications.toConversation' },
  recharge_credited: { to: '/wallet/recharge', text: 'app.notifications.toRecharges' },
  recharge_rejected: { to: '/wallet/recharge', text: 'app.notifications.toRecharges' },
  recharge_expired: { to: '/wallet/recharge', text: 'app.notifications.toRecharges' },
} as const;

const leadOf = (kind: string | null) =>
  kind && kind in leads ? leads[kind as keyof typeof leads] : null;

type Props = { item: Notification; onRead(): void };

/** Opening one marks it as read. */
export function NotificationRow({ item, onRead }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const toggle = () => {
    setOpen(!open);
    if (!item.read) onRead();
  };
  const lead = leadOf(item.kind);
  return (
    <div className={styles.card}>
      <button type="button" className={styles.row} aria-expanded={open} onClick={toggle}>
        <span className={styles.icon} data-category={item.category}>
          <Icon name={icons[item.category]} size={22} />
        </span>
        <span className={styles.text}>
          <span className={styles.title}>
            {item.title}
            {!item.read && (
              <span className={styles.dot}>
                <span className="visually-hidden">{t('app.notifications.new')}</span>
              </span>
            )}
          </span>
          <span className={styles.body} data-open={open} data-may-be-cut="a press shows all of it">
            {item.body}
          </span>
          <time className={styles.time} dateTime={item.created_at}>
            {formatDateTime(item.created_at)}
          </time>
        </span>
      </button>
      {open && lead && (
        <Link to={lead.to} className={styles.lead}>
          {t(lead.text)}
          <Icon name="chevron" size={18} />
        </Link>
      )}
    </div>
  );
}
