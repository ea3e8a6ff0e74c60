import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '@/ui/feedback/toast-store';

type Props<P> = {
  load: () => Promise<ComponentType<P>>;
  /** Where its code cannot be had now: gives up, and the next time it is loaded anew. */
  onMissing: () => void;
  props: P;
  fallback?: ReactNode;
};

/**
 * A part of a page whose code comes when it is wanted. Unlike React's own, it leaves the page
 * around it alone when the connection is gone: what was typed there stays.
 */
export function OnDemand<P extends object>({ load, onMissing, props, fallback }: Props<P>) {
  const { t } = useTranslation();
  const [Loaded, setLoaded] = useState<ComponentType<P> | null>(null);
  const missing = useRef(onMissing);
  missing.current = onMissing;
  useEffect(() => {
    let wanted = true;
    load().then(
      (component) => wanted && setLoaded(() => component),
      () => {
        if (!wanted) return;
        showToast(t('app.error.offline'), 'failure');
        missing.current();
      },
    );
    return () => {
      wanted = false;
    };
  }, [load, t]);
  return Loaded ? <Loaded {...props} /> : fallback;
}
