import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Notification } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { Link } from '@/ui/controls/Link';
import { Icon } from '@/ui/display/Icon';
import styles from './NotificationRow.module.css';
import { lookOf } from './notice-kinds';

type Props = {
  item: Notification;
  /** Whether the app was opened for this notice, by a push message. */
  wanted: boolean;
  onRead(): void;
};

/** Opening one marks it as read, and shows the way to what it tells of. */
export function NotificationRow({ item, wanted, onRead }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [open, setOpen] = useState(wanted);
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!wanted) return;
    setOpen(true);
    row.current?.scrollIntoView({ block: 'center' });
  }, [wanted]);
  const unread = wanted && !item.read;
  const markRead = useEffectEvent(onRead);
  useEffect(() => {
    if (unread) markRead();
  }, [unread]);
  const toggle = () => {
    setOpen(!open);
    if (!item.read) onRead();
  };
  // Cached data may be older than the event that the notice reports.
  const invalidateAfter = () => void client.invalidateQueries({ refetchType: 'none' });
  const { icon, tone, way } = lookOf(item);
  return (
    <div className={styles.card}>
      <button ref={row} type="button" className={styles.row} aria-expanded={open} onClick={toggle}>
        <span className={styles.icon} data-tone={tone}>
          <Icon name={icon} size={22} />
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
      {open && way && (
        <Link to={way.to} className={styles.way} onClick={invalidateAfter}>
          {t(way.text)}
          <Icon name="chevron" size={18} />
        </Link>
      )}
    </div>
  );
}
