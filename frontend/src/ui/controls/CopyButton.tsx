import { useTranslation } from 'react-i18next';
import { Icon } from '@/ui/display/Icon';
import { showToast } from '@/ui/feedback/toast-store';
import { tick } from '@/ui/motion';
import styles from './CopyButton.module.css';

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
  return (
    <button
      type="button"
      className={styles.copy}
      aria-label={label}
      onPointerDown={tick}
      onClick={copy}
    >
      <Icon name="copy" size={20} />
    </button>
  );
}
