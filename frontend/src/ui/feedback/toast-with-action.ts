import { hideToast, say, type ToastAction } from './toast-store';

const reachingMs = 7000;

/**
 * Reports what was done, with a button, for long enough to reach it. The button must not be the
 * only way to its action.
 */
export function showToastWithAction(text: string, { label, run }: ToastAction) {
  const act = () => {
    hideToast();
    run();
  };
  say({ text, kind: 'success', action: { label, run: act } }, reachingMs);
}
