import { lazy, Suspense } from 'react';
import { POPUP_Z_INDEX } from '@/ui/constants';
import styles from './ToastProvider.module.css';
import { type ToastMessage, useToast } from './toast-store';

/**
 * The component is loaded with the first toast. Without a connection, the text is shown without it.
 */
const Toast = lazy(async () => {
  try {
    return { default: (await import('./Toast')).Toast };
  } catch {
    return { default: Words };
  }
});

/** Put once into the layout: draws and announces what `showToast(text, kind)` says. */
export function ToastProvider() {
  const toast = useToast();
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
        <Suspense key={toast.id} fallback={<Words {...toast} />}>
          <Toast {...toast} />
        </Suspense>
      )}
    </div>
  );
}

function Words({ text }: ToastMessage) {
  return <div className={styles.toast}>{text}</div>;
}
