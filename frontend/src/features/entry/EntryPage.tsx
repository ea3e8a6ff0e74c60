import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import { call } from '@/api/call';
import { NetworkError } from '@/api/errors';
import { session, useSession } from '@/api/session';
import type { Signed } from '@/api/types';
import { CardSkeleton } from '@/ui/CardSkeleton';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorState } from '@/ui/ErrorState';
import { LostPicture } from '@/ui/illustrations/LostPicture';
import { OfflinePicture } from '@/ui/illustrations/OfflinePicture';
import { LinkButton } from '@/ui/LinkButton';

/** Where the native shell enters: a ticket for a session. */
export function EntryPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const ticket = params.get('ticket');
  const signedIn = useSession().token !== null;
  const [failed, setFailed] = useState<'refused' | 'offline' | null>(ticket ? null : 'refused');
  const exchanged = useRef<string | null>(null);

  const exchange = useCallback(async () => {
    setFailed(null);
    try {
      const signed = await call<Signed>('POST', '/auth/entry', {
        body: { ticket },
        inline: ['ticket_invalid', 'network'],
      });
      session.signIn(signed);
      navigate(signed.user.store_opened ? '/ad-center' : '/ad-welcome', { replace: true });
    } catch (error) {
      setFailed(error instanceof NetworkError ? 'offline' : 'refused');
    }
  }, [ticket, navigate]);

  useEffect(() => {
    // A ticket works once: running this effect twice would spend it and then be refused.
    if (!ticket || exchanged.current === ticket) return;
    exchanged.current = ticket;
    void exchange();
  }, [ticket, exchange]);

  if (!ticket && signedIn) return <Navigate to="/ad-center" replace />;
  if (!failed) return <CardSkeleton lines={4} />;
  if (failed === 'offline') {
    return (
      <ErrorState
        picture={<OfflinePicture />}
        message={t('auth.entryOfflineText')}
        onRetry={exchange}
      />
    );
  }
  return (
    <>
      <h1 className="visually-hidden">{t('app.name')}</h1>
      <EmptyState
        picture={<LostPicture />}
        title={t('auth.entryFailedTitle')}
        description={t('auth.entryFailedText')}
        action={<LinkButton to="/login">{t('auth.login')}</LinkButton>}
      />
    </>
  );
}
