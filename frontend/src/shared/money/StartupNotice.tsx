import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Property } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { OnDemand } from '@/shared/page/OnDemand';
import { AskService } from '@/shared/service/AskService';
import { Button } from '@/ui/controls/Button';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { compareDecimals, isPositive } from '@/ui/money/decimal';
import { RefusalNotice } from './RefusalNotice';
import { usePayment } from './use-payment';

/** Few have such funds, and the wallet is drawn sooner without it. */
const loadPasswordDialog = async () =>
  (await import('@/ui/pin/TransactionPasswordDialog')).TransactionPasswordDialog;

/** Shown wherever start-up funds block something; they are returned from available funds. */
export function StartupNotice({ property }: { property: Property }) {
  const { t } = useTranslation();
  const returning = usePayment('/user/startup/return');
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const { startup_outstanding: outstanding, available } = property;
  if (!isPositive(outstanding)) return null;

  const amount = compareDecimals(available, outstanding) < 0 ? available : outstanding;
  const ready = property.pay_password_set ? (
    <Button size="small" disabled={!isPositive(amount)} onClick={() => setAsking(true)}>
      {t('wallet.startupReturn', { amount: formatMoney(amount) })}
    </Button>
  ) : (
    <LinkButton to="/wallet/set-password" size="small">
      {t('ui.waySetPassword')}
    </LinkButton>
  );
  return (
    <>
      <Notice
        tone="warning"
        action={
          <>
            {ready}
            <AskService />
          </>
        }
      >
        <strong>{t('wallet.startup', { amount: formatMoney(outstanding) })}</strong>
        <br />
        {t('wallet.startupHint')}
      </Notice>
      <RefusalNotice error={returning.error} />
      {asking && (
        <OnDemand
          load={loadPasswordDialog}
          onMissing={close}
          props={{
            open: true,
            onClose: close,
            onConfirm: async (password) => {
              await returning.mutateAsync({ amount, password });
              showToast(t('wallet.startupReturned'), 'success');
            },
            children: <p>{t('wallet.startupConfirm', { amount: formatMoney(amount) })}</p>,
          }}
        />
      )}
    </>
  );
}
