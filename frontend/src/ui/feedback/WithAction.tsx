import type { ToastAction } from './toast-store';
import styles from './WithAction.module.css';

/** The text of a toast, and its button. */
export function WithAction({ text, action }: { text: string; action: ToastAction }) {
  return (
    <span className={styles.withAction}>
      {text}
      <button type="button" className={styles.action} onClick={action.run}>
        {action.label}
      </button>
    </span>
  );
}
