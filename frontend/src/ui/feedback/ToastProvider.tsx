import { useSyncExternalStore } from 'react';
import { classNames } from '@/ui/class-names';
import { POPUP_Z_INDEX } from '@/ui/constants';
import { Icon } from '@/ui/display/Icon';
import styles from './ToastProvider.module.css';
import { currentToast, onToast } from './toast-store';

const icons = { success: 'check', failure: 'warning', plain: null } as const;

/** Put once into the layout: draws and announces what `showToast(text, kind)` says. */
export function ToastProvider() {
  const toast = useSyncExternalStore(onToast, currentToast);
  const icon = toast && icons[toast.kind];
  return (
    // The region exists before its text: screen readers announce changes, not arrivals.
    <div
      className={styles.region}
      style={{ zIndex: POPUP_Z_INDEX + 100 }}
      role="status"
      aria-live="polite"
      aria-atomic="true"
    >
      {toast && (
        <div key={toast.id} className={classNames(styles.toast, styles[toast.kind])}>
          {icon && <Icon name={icon} size={20} />}
          <span>{toast.text}</span>
        </div>
      )}
    </div>
  );
}
