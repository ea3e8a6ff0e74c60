import { useTranslation } from 'react-i18next';
import { IconButton } from '@/ui/controls/IconButton';
import styles from './Layer.module.css';

type Props = { id: string; title: string; onClose: () => void };

/** The title of a layer, and its close button. react-vant's own button does not respond to keys. */
export function LayerTitle({ id, title, onClose }: Props) {
  const { t } = useTranslation();
  return (
    // No header element: outside the page's own parts it would be a second banner.
    <div className={styles.header}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      <IconButton icon="close" label={t('ui.close')} className={styles.close} onClick={onClose} />
    </div>
  );
}
