import { useEffect } from 'react';
import { Icon } from './Icon';
import styles from './ToastHost.module.css';
import { hideToast, useToast } from './toast-store';

const icons = { success: 'check', failure: 'alert', info: 'info' } as const;

/** Announced by screen readers, and long enough on screen to be read. */
export function ToastHost({ duration }: { duration: number }) {
  const toast = useToast();
  useEffect(() => {
    if (!toast) return;
    const reading = Math.max(duration, toast.text.length * 60);
    const timer = setTimeout(() => hideToast(toast.id), reading);
    return () => clearTimeout(timer);
  }, [toast, duration]);
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {toast && (
        <div key={toast.id} className={styles.toast} data-kind={toast.kind}>
          <Icon name={icons[toast.kind]} size={20} />
          <span>{toast.text}</span>
        </div>
      )}
    </div>
  );
}
