import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { type ApiError, NetworkError } from '@/api/errors';
import { setUser } from '@/api/user';
import { barred } from '@/shared/account/barred';
import { useSingleFlight } from '@/shared/forms/use-single-flight';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { ErrorState } from '@/ui/feedback/ErrorState';
import { showToast } from '@/ui/feedback/toast-store';

const texts = {
  402: 'app.error.notActivated',
  403: 'app.error.disabled',
  404: 'app.error.cancelled',
} as const;

/** Replaces every page that would call the server and be refused each time. */
export function BarredAccount({ refusal }: { refusal: ApiError }) {
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
