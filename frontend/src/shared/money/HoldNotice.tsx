import { useTranslation } from 'react-i18next';
import type { Property } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { Notice } from '@/ui/feedback/Notice';

/** Shown before anything is typed: until when nothing leaves the account, and whom to contact. */
export function HoldNotice({ property }: { property: Property }) {
  const { t } = useTranslation();
  const until = property.payouts_held_until;
  if (!until) return null;
  const help = (
    <Button size="small" variant="secondary" onClick={() => openCustomerService()}>
      {t('app.bar.service')}
    </Button>
  );
  return (
    <Notice tone="warning" action={help}>
      <strong>{t('wallet.onHold', { until: formatDateTime(until) })}</strong>
      <br />
      {t('wallet.onHoldHint')}
    </Notice>
  );
}
