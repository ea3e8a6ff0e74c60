import { QueryClientProvider } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '@/api/query-client';
import { useSession } from '@/api/session';
import { setUser, useUserInfo } from '@/api/user';
import { figures } from '@/app/data';
import { useScrollRestoration } from '@/app/history/use-scroll-restoration';
import { NewVersionNotice } from '@/installed/NewVersionNotice';
import { OfflineNotice } from '@/installed/OfflineNotice';
import { barred, useBarred } from '@/shared/account/barred';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { ErrorState } from '@/ui/feedback/ErrorState';
import { useAppBadge } from './use-app-badge';
import './forced-colors.css';
import './print.css';
import { call } from '@/api/call';
import { type ApiError, NetworkError } from '@/api/errors';
import { useSingleFlight } from '@/shared/forms/use-single-flight';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';

type Props = {
  children: ReactNode;
  /**
   * Whether barred users may see the page, because it is a way to customer service, the only help.
   */
  openToBarred: boolean;
};

/** The pages that read the account; the query library is loaded with the first of them. */
function SignedIn({ children, openToBarred }: Props) {
  const { token, user } = useSession();
  const refusal = useBarred();
  useScrollRestoration();
  useGoOn(token ? user?.id : undefined);
  useAppBadge();
  return (
    <QueryClientProvider client={queryClient}>
      <OfflineNotice />
      {refusal && !openToBarred ? (
        <BarredAccount refusal={refusal} />
      ) : token && !user ? (
        <MissingUser />
      ) : (
        // A page reads and keeps data of one session, so another session begins a new page.
        <Fragment key={token}>{children}</Fragment>
      )}
      <NewVersionNotice />
    </QueryClientProvider>
  );
}

/** Notices while the app is not open go on where this user had them before logging in again. */
function useGoOn(user: string | undefined) {
  useEffect(() => {
    if (!user || !('PushManager' in window)) return;
    // A detail: nobody waits for it, and the next visit tries again.
    void import('@/shared/push/devices').then(({ goOn }) => goOn()).catch(() => {});
  }, [user]);
}

/** After reading what is stored on the device, in case the server cannot be reached. */
export async function openSignedIn() {
  await figures;
  return SignedIn;
}

/** A session whose user is not stored in the browser: the page waits for the server's answer. */
function MissingUser() {
  const { t } = useTranslation();
  const { isPending, isFetching, refetch } = useUserInfo();
  if (isPending) return <CardSkeleton />;
  return <ErrorState message={t('app.error.noUser')} onRetry={refetch} retrying={isFetching} />;
}

const texts = {
  402: 'app.error.notActivated',
  403: 'app.error.disabled',
  404: 'app.error.cancelled',
} as const;

/** Replaces every page that would call the server and be refused each time. */
function BarredAccount({ refusal }: { refusal: ApiError }) {
  const { t } = useTranslation();
  const message = refusal.msg || t(texts[refusal.code as keyof typeof texts]);
  const { busy, once } = useSingleFlight();
  const ask = async () => {
    try {
      setUser(await call('GET', '/user/info'));
      barred.lift();
    } catch (error) {
      // The dialog has shown it already; this answers a press. All other errors were reported by
      // the call.
      if (error === barred.get()) showToast(message, 'failure');
      if (error instanceof NetworkError) showToast(t('ui.requestFailed'), 'failure');
    }
  };
  const help = (
    <Button icon="headset" onClick={() => openCustomerService({ message })}>
      {t('auth.askService')}
    </Button>
  );
  return <ErrorState message={message} onRetry={() => once(ask)} retrying={busy} action={help} />;
}
