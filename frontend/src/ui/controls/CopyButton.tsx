import { useTranslation } from 'react-i18next';
import { showToast } from '@/ui/feedback/toast-store';
import styles from './CopyButton.module.css';
import { IconButton } from './IconButton';

/** Copies `text`; `label` says what is copied. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast(t('ui.copied'), 'success');
    } catch {
      showToast(t('ui.copyFailed'), 'failure');
    }
  };
  return <IconButton icon="copy" label={label} className={styles.copy} onClick={copy} />;
}
