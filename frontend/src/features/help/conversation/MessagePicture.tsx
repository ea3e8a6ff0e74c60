import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/ui/display/Icon';
import { Picture, useObjectUrl } from '@/ui/images/Picture';
import { Dialog } from '@/ui/layers/Dialog';
import styles from './Messages.module.css';
import { usePicture } from './queries';

type Props = { id: string; label: string };

/** A press shows it larger; after a failure, a press tries again. */
export function MessagePicture({ id, label }: Props) {
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
