import { useTranslation } from 'react-i18next';
import type { Message } from '@/api/types';
import { formatTime } from '@/i18n/format';
import { MessagePicture } from './MessagePicture';
import styles from './Messages.module.css';

export function MessageRow({ message }: { message: Message }) {
  const { t } = useTranslation();
  const { author, text, pictures, created_at: at, read } = message;
  const own = author === 'user';
  return (
    <div className={styles.message} data-author={author}>
      <p className={own ? 'visually-hidden' : styles.author}>
        {t(own ? 'app.customer.you' : 'app.customer.staff')}
      </p>
      {text && <p className={styles.text}>{text}</p>}
      {pictures.length > 0 && (
        <ul className={styles.pictures}>
          {pictures.map((id, index) => (
            <li key={id}>
              <MessagePicture
                id={id}
                label={t('app.customer.picture', { number: index + 1, total: pictures.length })}
              />
            </li>
          ))}
        </ul>
      )}
      <p className={styles.foot}>
        <time dateTime={at}>{formatTime(at)}</time>
        {own && <span>{t(read ? 'app.customer.read' : 'app.customer.sent')}</span>}
      </p>
    </div>
  );
}
