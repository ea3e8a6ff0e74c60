import { hideToast, say, type ToastAction } from './toast-store';

const reachingMs = 7000;

/** Says what was done, with a button, for long enough to reach it. It must not be the only way. */
export function showToastWithAction(text: string, { label, run }: ToastAction) {
  const act = () => {
    hideToast();
    run();
  };
  say({ text, kind: 'success', action: { label, run: act } }, reachingMs);
}
