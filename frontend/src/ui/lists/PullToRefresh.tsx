import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAsOf } from '@/i18n/format';
import { Icon } from '@/ui/display/Icon';
import { showToast } from '@/ui/feedback/toast-store';
import styles from './PullToRefresh.module.css';
import { usePullGesture } from './use-pull-gesture';

type Props = {
  /** Rejects when not everything could be read anew. */
  onRefresh: () => Promise<unknown>;
  /** When the oldest of what is shown was read; null while there is nothing yet. */
  asOf: number | null;
  children: ReactNode;
};

/**
 * Reads anew what a page shows: by pulling it down, or by the button that says how old it is. On a
 * phone the button takes no room until what it says matters, or a keyboard reaches it.
 * Written anew: react-vant's listens to each movement of a finger in a way that makes all scrolling
 * wait for it, which cannot be changed from outside.
 */
export function PullToRefresh({ onRefresh, asOf, children }: Props) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState('');
  const old = useIsOld(asOf);
  const time = asOf === null ? '' : formatAsOf(asOf);

  const refresh = async () => {
    if (busy) return;
    setBusy(true);
    setDone('');
    try {
      await onRefresh();
      setDone(t('ui.refresh.done', { time: formatAsOf(Date.now()) }));
    } catch {
      showToast(time ? t('ui.refresh.failed', { time }) : t('ui.refresh.failedFirst'), 'failure');
    } finally {
      setBusy(false);
    }
  };
  const pull = usePullGesture(root, refresh);
  return (
    <div ref={root} className={styles.root} data-pull={pull} data-busy={busy}>
      <div className={styles.hint} aria-hidden="true">
        <Icon name="arrow-down" size={20} />
        {pull !== 'rest' && t(pull === 'ready' ? 'ui.refresh.release' : 'ui.refresh.pull')}
      </div>
      <div className={styles.content}>
        <button
          type="button"
          className={styles.line}
          data-as-of
          data-quiet={!old && !busy}
          aria-busy={busy || undefined}
          onClick={() => void refresh()}
        >
          <span>{busy ? t('ui.refresh.busy') : time && t('ui.refresh.asOf', { time })}</span>
          <Icon name="reload" size={16} />
          <span className="visually-hidden">{t('ui.refresh.action')}</span>
        </button>
        {children}
      </div>
      <p className="visually-hidden" role="status">
        {done}
      </p>
    </div>
  );
}

/** Data that refreshes by itself does so more often than this. */
const oldAfterMs = 120_000;

/** Whether something was read so long ago that its age is worth a line. */
function useIsOld(asOf: number | null): boolean {
  const [old, setOld] = useState(false);
  useEffect(() => {
    if (asOf === null) return;
    setOld(false);
    const wait = setTimeout(() => setOld(true), Math.max(0, asOf + oldAfterMs - Date.now()));
    return () => clearTimeout(wait);
  }, [asOf]);
  return old;
}
