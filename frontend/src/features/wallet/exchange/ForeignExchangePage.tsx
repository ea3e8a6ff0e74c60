import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import type { AcceptorDetail, AcceptorOrder } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { useDraft } from '@/shared/forms/use-draft';
import { useEntryState } from '@/shared/forms/use-entry-state';
import { HoldNotice } from '@/shared/money/HoldNotice';
import { StartupNotice } from '@/shared/money/StartupNotice';
import { ListCard } from '@/shared/page/ListCard';
import { Card } from '@/ui/display/Card';
import { Parts } from '@/ui/display/Parts';
import { StatusTag } from '@/ui/display/StatusTag';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { ExchangePicture } from '@/ui/illustrations/ExchangePicture';
import { AmountText } from '@/ui/money/AmountText';
import { AcceptorForm, type Entry } from './AcceptorForm';
import { CurrentExchange } from './CurrentExchange';
import { formatForeign, rateText } from './currency';
import styles from './ForeignExchangePage.module.css';
import { OrderForm } from './OrderForm';
import { orderTones } from './order-tones';
import { acceptorsQuery, useExchanges, useInvalidateOnExchangeDecision } from './queries';

export function ForeignExchangePage() {
  const { t } = useTranslation();
  const known = useNow();
  const [property] = known;
  useInvalidateOnExchangeDecision();
  return (
    <div className={styles.page}>
      <div className={styles.hero}>
        <p>{t('wallet.available')}</p>
        {property.data ? (
          <AmountText amount={property.data.available} size="balance" />
        ) : (
          <span className={styles.unknown}>–</span>
        )}
        <p className={styles.text}>{t('exchange.text')}</p>
      </div>
      <div className={styles.content}>
        <Now />
        {/* The list is hidden until the part above it is known, which would push it down. */}
        <div hidden={known.some((query) => query.isPending)}>
          <ExchangeList />
        </div>
      </div>
    </div>
  );
}

/** The data that must be known first: the figures, the orders and the acceptors. */
function useNow() {
  return [useProperty(), useExchanges(), useQuery(acceptorsQuery('personal'))] as const;
}

/** The next step: waiting for the open order, or placing one. */
function Now() {
  const queries = useNow();
  const [property, exchanges] = queries;
  // Kept for users who come back from setting a password, or sign in again.
  const [entry, setEntry] = useDraft<Entry>('acceptor', () => ({ type: 'personal', code: '' }));
  const [acceptor, setAcceptor] = useEntryState<AcceptorDetail | null>('acceptor', null);
  const leave = useCallback(() => setAcceptor(null), [setAcceptor]);

  if (queries.some((query) => query.isPending)) return <CardSkeleton lines={4} />;
  if (!property.data || !exchanges.data) {
    return (
      // A card, because the content overlaps the edge of the element above it.
      <Card>
        <Unanswered of={queries} />
      </Card>
    );
  }
  const current = exchanges.data.pages[0]?.current;
  if (current) return <CurrentExchange order={current} />;
  return (
    <>
      <HoldNotice property={property.data} />
      <StartupNotice property={property.data} />
      {acceptor ? (
        <OrderForm
          acceptor={acceptor}
          entry={entry}
          property={property.data}
          onRenewed={setAcceptor}
          onAsked={() => {
            // The code was for this order; the next one may be with another acceptor.
            setEntry({ ...entry, code: '' });
            leave();
          }}
          onLeave={leave}
        />
      ) : (
        <AcceptorForm entry={entry} onChange={setEntry} onFound={setAcceptor} />
      )}
    </>
  );
}

/** All orders, latest first. */
function ExchangeList() {
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
        <Parts parts={[order.acceptor.name, rateText(order.rate, order.currency)]} />
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
