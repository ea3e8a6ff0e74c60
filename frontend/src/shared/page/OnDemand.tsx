import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '@/ui/feedback/toast-store';
import { missingText } from './held-back';
import { loadStylesAgain } from './missing-files';

type Props<P> = {
  load: () => Promise<ComponentType<P>>;
  /** If its code cannot be loaded: gives up; the next time it is loaded again. */
  onMissing: () => void;
  props: P;
  fallback?: ReactNode;
};

/**
 * A part of a page whose code is loaded when needed. Unlike React's `lazy`, it does not replace the
 * page if the connection is lost, so that what was typed stays.
 */
export function OnDemand<P extends object>({ load, onMissing, props, fallback }: Props<P>) {
  const { t } = useTranslation();
  const [Loaded, setLoaded] = useState<ComponentType<P> | null>(null);
  const missing = useRef(onMissing);
  missing.current = onMissing;
  useEffect(() => {
    let wanted = true;
    loadStyled(load).then(
      (component) => wanted && setLoaded(() => component),
      () => {
        if (!wanted) return;
        missing.current();
        void missingText(t).then((text) => showToast(text, 'failure'));
      },
    );
    return () => {
      wanted = false;
    };
  }, [load, t]);
  return Loaded ? <Loaded {...props} /> : fallback;
}

/** Its styles may have been missing the last time. */
async function loadStyled<C>(load: () => Promise<C>): Promise<C> {
  if (!(await loadStylesAgain())) throw new Error('missing styles');
  return load();
}
