import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { call } from '@/api/call';
import { ApiError, NetworkError } from '@/api/errors';
import { session, useSession } from '@/api/session';
import type { Signed } from '@/api/types';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { ErrorState } from '@/ui/feedback/ErrorState';
import { OfflinePicture } from '@/ui/illustrations/OfflinePicture';

/** After these errors it is unknown whether the ticket was used. */
const mayWorkAgain = (error: unknown) => !(error instanceof ApiError) || error.code === 500;

/**
 * Where the native shell enters: exchanges a ticket for a session. Without one, it leads to the
 * welcome page.
 */
export function EntryPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [params] = useSearchParams();
  const ticket = params.get('ticket');
  const signedIn = useSession().token !== null;
  const [failed, setFailed] = useState<'offline' | 'unclear' | null>(null);
  const exchanged = useRef<string | null>(null);

  const exchange = useCallback(async () => {
    setFailed(null);
    try {
      const signed = await call<Signed>('POST', '/auth/entry', {
        body: { ticket },
        inline: ['network'],
      });
      session.signIn(signed);
      navigate(signed.user.store_opened ? '/ad-center' : '/ad-welcome', { replace: true });
    } catch (error) {
      const lost = error instanceof NetworkError && error.status === 0;
      if (mayWorkAgain(error)) setFailed(lost ? 'offline' : 'unclear');
      else navigate(`/ad-welcome${search}`, { replace: true });
    }
  }, [ticket, search, navigate]);

  useEffect(() => {
    // A ticket works once: running this effect twice would use it and then be refused.
    if (!ticket || exchanged.current === ticket) return;
    exchanged.current = ticket;
    void exchange();
  }, [ticket, exchange]);

  if (!ticket) return <Navigate to={signedIn ? '/ad-center' : `/ad-welcome${search}`} replace />;
  if (!failed) return <CardSkeleton lines={4} />;
  return (
    <>
      <h1 className="visually-hidden">{t('app.name')}</h1>
      {failed === 'unclear' ? (
        <ErrorState onRetry={exchange} />
      ) : (
        <ErrorState
          picture={<OfflinePicture />}
          message={t('auth.entryOfflineText')}
          onRetry={exchange}
        />
      )}
    </>
  );
}
