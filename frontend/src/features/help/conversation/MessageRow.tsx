import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message } from '@/api/types';
import { formatTime } from '@/i18n/format';
import { classNames } from '@/ui/class-names';
import { Icon } from '@/ui/display/Icon';
import { Picture, useObjectUrl } from '@/ui/images/Picture';
import { Dialog } from '@/ui/layers/Dialog';
import styles from './Messages.module.css';
import { usePicture } from './queries';

export function MessageRow({ message }: { message: Message }) {
  const { t } = useTranslation();
  const { author, text, pictures, created_at: at, read } = message;
  const own = author === 'user';
  return (
    <div className={styles.message} data-author={author}>
      <p className={own ? 'visually-hidden' : styles.author}>
        {t(own ? 'app.customer.you' : 'app.customer.staff')}
      </p>
      {text && <p className={classNames('verbatim', styles.text)}>{text}</p>}
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

type Props = { id: string; label: string };

/** A press shows it larger; after a failure, a press tries again. */
function MessagePicture({ id, label }: Props) {
  const { t } = useTranslation();
  const picture = usePicture(id);
  const address = useObjectUrl(picture.data);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles.picture}
        onClick={() => (picture.isError ? void picture.refetch() : setOpen(true))}
      >
        <Picture
          src={address}
          instead={picture.isError && <Icon name="reload" size={26} />}
          className={styles.thumbnail}
        />
        <span className="visually-hidden">
          {picture.isError ? t('app.customer.pictureFailed', { picture: label }) : label}
        </span>
      </button>
      {address && (
        <Dialog open={open} title={label} onClose={() => setOpen(false)} wide>
          <img className={styles.whole} src={address} alt={label} />
        </Dialog>
      )}
    </>
  );
}
