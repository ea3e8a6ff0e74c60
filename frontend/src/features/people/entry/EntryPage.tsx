import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router-dom';
import { call } from '@/api/call';
import { ApiError, NetworkError } from '@/api/errors';
import { cachedConfig } from '@/api/queries/cached-config';
import { session, useSession } from '@/api/session';
import { languageOf } from '@/i18n/first-language';
import { showAccountLanguage, storedLanguage } from '@/i18n/texts';
import { leaveAccount } from '@/shared/account/leave-account';
import { Navigate, useNavigate } from '@/shared/navigation/use-navigate';
import { Button } from '@/ui/controls/Button';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { ErrorState } from '@/ui/feedback/ErrorState';
import { OfflinePicture } from '@/ui/illustrations/OfflinePicture';
import { Dialog } from '@/ui/layers/Dialog';

/** After these errors it is unknown whether the ticket was used. */
const mayWorkAgain = (error: unknown) => !(error instanceof ApiError) || error.code === 500;

/**
 * The page by which a native shell enters: it exchanges a ticket for a session. Without a ticket,
 * it leads to the welcome page. Anybody can send somebody a link with a ticket of their own, so a
 * ticket does not replace a session without asking.
 */
export function EntryPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search = useLocation().search as '' | `?${string}`;
  const [params] = useSearchParams();
  const ticket = params.get('ticket') ?? '';
  const lang = params.get('lang');
  const signedIn = useSession().token !== null;
  const [failed, setFailed] = useState<'offline' | 'unclear' | null>(null);
  const [asked, setAsked] = useState<{ current: string; other: string } | null>(null);
  const exchanged = useRef<string | null>(null);

  const attempt = useCallback(
    async (work: () => Promise<void>) => {
      setFailed(null);
      try {
        await work();
      } catch (error) {
        const lost = error instanceof NetworkError && error.status === 0;
        if (mayWorkAgain(error)) setFailed(lost ? 'offline' : 'unclear');
        else navigate(`/ad-welcome${search}`, { replace: true });
      }
    },
    [search, navigate],
  );

  const exchange = useCallback(async () => {
    // The provider says in which language it shows itself to this user.
    const known = lang && languageOf(lang, cachedConfig()?.client_language_map ?? []);
    if (known && !storedLanguage()) await showAccountLanguage(known);
    const signed = await call('POST', '/auth/entry', { body: { ticket }, inline: ['network'] });
    const { token, user } = session.get();
    if (token && user?.username !== signed.user.username) leaveAccount();
    session.signIn(signed);
    navigate(signed.user.store_opened ? '/ad-center' : '/ad-welcome', { replace: true });
  }, [ticket, lang, navigate]);

  const enter = useCallback(async () => {
    const { token, user } = session.get();
    if (token && user) {
      const { username } = await call('POST', '/auth/entry/account', {
        body: { ticket },
        inline: ['network'],
      });
      if (username !== user.username) {
        setAsked({ current: user.username, other: username });
        return;
      }
    }
    await exchange();
  }, [ticket, exchange]);

  useEffect(() => {
    // A ticket works once: running this effect twice would use it and then be refused.
    if (!ticket || exchanged.current === ticket) return;
    exchanged.current = ticket;
    setAsked(null);
    void attempt(enter);
  }, [ticket, attempt, enter]);

  if (!ticket) return <Navigate to={signedIn ? '/ad-center' : `/ad-welcome${search}`} replace />;
  if (!failed) {
    return (
      <>
        <CardSkeleton lines={4} />
        {asked && (
          <SwitchDialog
            {...asked}
            onSwitch={() => {
              setAsked(null);
              void attempt(exchange);
            }}
            onStay={() => navigate('/ad-center', { replace: true })}
          />
        )}
      </>
    );
  }
  const retry = () => void attempt(enter);
  return (
    <>
      <h1 className="visually-hidden">{t('app.name')}</h1>
      {failed === 'unclear' ? (
        <ErrorState onRetry={retry} />
      ) : (
        <ErrorState
          picture={<OfflinePicture />}
          message={t('auth.entryOfflineText')}
          onRetry={retry}
        />
      )}
    </>
  );
}

type Props = { current: string; other: string; onSwitch(): void; onStay(): void };

/** A link would sign somebody in who is not the one signed in. */
function SwitchDialog({ current, other, onSwitch, onStay }: Props) {
  const { t } = useTranslation();
  const actions = (
    <>
      <Button onClick={onStay}>{t('auth.switchStay', { current })}</Button>
      <Button variant="secondary" onClick={onSwitch}>
        {t('auth.switchConfirm', { other })}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onStay} title={t('auth.switchTitle')} actions={actions}>
      {t('auth.switchText', { current, other })}
    </Dialog>
  );
}
