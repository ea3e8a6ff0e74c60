import { useTranslation } from 'react-i18next';
import type { Property } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { ServiceButton } from '@/shared/service/ServiceButton';
import { Notice } from '@/ui/feedback/Notice';

/** Shown before anything is typed: until when nothing leaves the account, and whom to contact. */
export function HoldNotice({ property }: { property: Property }) {
  const { t } = useTranslation();
  const until = property.payouts_held_until;
  if (!until) return null;
  return (
    <Notice tone="warning" action={<ServiceButton />}>
      <strong>{t('wallet.onHold', { until: formatDateTime(until) })}</strong>
      <br />
      {t('wallet.onHoldHint')}
    </Notice>
  );
}
