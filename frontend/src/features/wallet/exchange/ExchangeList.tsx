import { useTranslation } from 'react-i18next';
import type { AcceptorOrder } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { ListCard } from '@/shared/page/ListCard';
import { StatusTag } from '@/ui/display/StatusTag';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { ExchangePicture } from '@/ui/illustrations/ExchangePicture';
import { formatForeign, rateText } from './currency';
import styles from './ExchangeList.module.css';
import { orderTones } from './order-tones';
import { useExchanges } from './queries';

/** All orders, latest first. */
export function ExchangeList() {
  const { t } = useTranslation();
  const exchanges = useExchanges();
  return (
    <ListCard
      query={exchanges}
      title={t('exchange.records')}
      keyOf={(one) => one.id}
      renderItem={(one) => <ExchangeRow order={one} />}
      empty={
        <EmptyState
          picture={<ExchangePicture />}
          title={t('exchange.noRecords')}
          description={t('exchange.noRecordsHint')}
        />
      }
    />
  );
}

function ExchangeRow({ order }: { order: AcceptorOrder }) {
  const { t } = useTranslation();
  return (
    <div className={styles.row}>
      <p className={styles.amounts}>
        {formatMoney(order.amount)}
        <span className={styles.arrow} aria-hidden="true">
          {' → '}
        </span>
        <span>{formatForeign(order.receives, order.currency)}</span>
      </p>
      <StatusTag tone={orderTones[order.status]}>{t(`exchange.status.${order.status}`)}</StatusTag>
      <p className={styles.detail}>
        {order.acceptor.name} · {rateText(order.rate, order.currency)}
        <br />
        <time dateTime={order.created_at}>{formatDateTime(order.created_at)}</time>
        {order.reason && (
          <>
            <br />
            {t('wallet.reason', { reason: order.reason })}
          </>
        )}
      </p>
    </div>
  );
}
