import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetAccount } from '@/shared/account/leave-account';
import { showSignedOut } from '@/shared/account/signed-out';
import { useSingleFlight } from '@/shared/forms/use-single-flight';
import { Button } from '@/ui/controls/Button';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { endEverySession } from '../me/mutations';

/** Ends this session too, so it is there for who has no other: it keeps customer service out. */
export function EndAll() {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const { busy, once } = useSingleFlight(close);
  const end = async () => {
    await endEverySession();
    forgetAccount();
    showSignedOut(t('me.sessions.endedAll'));
  };
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        {t('me.sessions.endAll')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('me.sessions.endAllTitle')}
        confirmLabel={t('me.sessions.endAll')}
        danger
        busy={busy}
        onConfirm={() => void once(end)}
        onClose={close}
      >
        <p>{t('me.sessions.endAllText')}</p>
      </ConfirmDialog>
    </>
  );
}
