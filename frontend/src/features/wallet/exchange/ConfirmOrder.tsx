import { useTranslation } from 'react-i18next';
import type { AcceptorDetail, AcceptorRate } from '@/api/types';
import { formatMoney, formatTime } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { Facts } from '@/ui/display/Facts';
import { Notice } from '@/ui/feedback/Notice';
import { Sheet } from '@/ui/layers/Sheet';
import { isPositive, subtractDecimals } from '@/ui/money/decimal';
import { rateText } from './currency';

type Order = {
  acceptor: AcceptorDetail;
  amount: string;
  rate: AcceptorRate;
  receives: string;
  available: string;
};

type Props = {
  open: boolean;
  order: Order;
  ended: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** The whole order, before the password is asked for. */
export function ConfirmOrder({ open, order, ended, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const { acceptor, rate, receives, available } = order;
  const amount = isPositive(order.amount || '0') ? order.amount : '0';
  const left = subtractDecimals(available, amount);
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('exchange.confirmTitle')}
      actions={
        <Button onClick={ended ? onClose : onConfirm}>
          {t(ended ? 'exchange.back' : 'ui.confirm')}
        </Button>
      }
    >
      <Facts
        facts={[
          { label: t('exchange.fact.give'), value: formatMoney(amount) },
          { label: t('wallet.receive'), value: receives },
          { label: t('exchange.fact.rate'), value: rateText(rate.rate, rate.currency) },
          { label: t('exchange.fact.until'), value: formatTime(rate.expires_at) },
          {
            label: t('exchange.fact.acceptor'),
            value: acceptor.name,
            hint: t(`exchange.type.${acceptor.type}`),
          },
          { label: t('exchange.fact.after'), value: formatMoney(left) },
        ]}
      />
      <Notice tone={ended ? 'warning' : 'info'} urgent={ended}>
        {t(ended ? 'exchange.endedMeanwhile' : 'exchange.confirmText')}
      </Notice>
    </Sheet>
  );
}
