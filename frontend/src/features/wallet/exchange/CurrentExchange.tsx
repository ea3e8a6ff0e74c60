import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NetworkError } from '@/api/errors';
import type { AcceptorOrder } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { StatusTag } from '@/ui/display/StatusTag';
import { showToast } from '@/ui/feedback/toast-store';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { formatForeign, rateText } from './currency';
import styles from './ExchangeForm.module.css';
import { useCancelExchange } from './mutations';
import { orderTones } from './order-tones';

/** The open order: its acceptor, what it will pay, and how to cancel it. */
export function CurrentExchange({ order }: { order: AcceptorOrder }) {
  const { t } = useTranslation();
  const cancel = useCancelExchange();
  const [asking, setAsking] = useState(false);
  const confirm = async () => {
    try {
      await cancel.mutateAsync(order.id);
      // By now the order is gone from the page, and this card with it.
      showToast(t('exchange.cancelled'), 'success');
    } catch {
      setAsking(false);
    }
  };
  return (
    <Card
      title={t('exchange.current')}
      aside={
        <StatusTag tone={orderTones[order.status]}>
          {t(`exchange.status.${order.status}`)}
        </StatusTag>
      }
    >
      <p className={styles.receives}>
        {t('wallet.receive')}
        <output>{formatForeign(order.receives, order.currency)}</output>
      </p>
      <Facts
        facts={[
          { label: t('exchange.fact.give'), value: formatMoney(order.amount) },
          { label: t('exchange.fact.rate'), value: rateText(order.rate, order.currency) },
          { label: t('exchange.fact.acceptor'), value: order.acceptor.name },
          { label: t('exchange.fact.asked'), value: formatDateTime(order.created_at) },
        ]}
      />
      <p className={styles.detail}>
        {t(order.cancellable ? 'exchange.currentText' : 'exchange.acceptedText')}
      </p>
      {cancel.error instanceof NetworkError && <RefusalNotice error={cancel.error} />}
      {order.cancellable && (
        <Button variant="secondary" onClick={() => setAsking(true)}>
          {t('exchange.cancel')}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        title={t('exchange.cancelTitle')}
        confirmLabel={t('exchange.cancel')}
        dismissLabel={t('wallet.keep')}
        danger
        busy={cancel.isPending}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      >
        <p>{t('exchange.cancelText', { amount: formatMoney(order.amount) })}</p>
      </ConfirmDialog>
    </Card>
  );
}
