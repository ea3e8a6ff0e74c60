import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
// biome-ignore lint/style/noRestrictedImports: it opens the address again that failed
import { useLocation, useNavigate, useRouteError } from 'react-router-dom';
import { isServerReachable } from '@/api/reachable';
import { heldBackText } from '@/shared/page/held-back';
import { loadStylesAgain } from '@/shared/page/missing-files';
import { ErrorState } from '@/ui/feedback/ErrorState';
import { MissingCode } from './preloadable';

/** A page that cannot be drawn says so, and offers a way on. */
export function PageFailed() {
  const { t } = useTranslation();
  const error = useRouteError();
  if (error instanceof MissingCode) return <PageMissing retry={error.retry} />;
  return <ErrorState message={t('app.failed.title')} onRetry={() => window.location.reload()} />;
}

/** In milliseconds. The connection is polled, because browsers only guess whether there is one. */
const lookEvery = 5000;

/**
 * A page whose code has never been loaded on this device. The frame around it stays, so that other
 * pages can be reached. Nothing is reloaded, so that what was typed on them stays, too.
 */
function PageMissing({ retry }: Pick<MissingCode, 'retry'>) {
  const { t } = useTranslation();
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const [trying, setTrying] = useState(false);
  const [heldBack, setHeldBack] = useState(false);
  const open = useCallback(async () => {
    setTrying(true);
    try {
      if (!(await isServerReachable())) return setHeldBack(false);
      if (!(await loadStylesAgain())) return setHeldBack(true);
      await retry();
      await navigate(pathname + search, { replace: true, state });
    } catch {
      // Tried again in a moment.
      setHeldBack(true);
    } finally {
      setTrying(false);
    }
  }, [retry, navigate, pathname, search, state]);
  useEffect(() => {
    const look = () => void (document.hidden || open());
    look();
    const timer = setInterval(look, lookEvery);
    window.addEventListener('online', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', look);
    };
  }, [open]);
  if (!heldBack) {
    return <ErrorState message={t('app.failed.offline')} onRetry={open} retrying={trying} />;
  }
  // There may be a new release, whose files have other names.
  return <ErrorState message={heldBackText(t)} onRetry={() => window.location.reload()} />;
}
