import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import type { AcceptorDetail } from '@/api/types';
import { useEntryState } from '@/shared/forms/use-entry-state';
import { HoldNotice } from '@/shared/money/HoldNotice';
import { StartupNotice } from '@/shared/money/StartupNotice';
import { Card } from '@/ui/display/Card';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { AmountText } from '@/ui/money/AmountText';
import { AcceptorForm, type Entry } from './AcceptorForm';
import { CurrentExchange } from './CurrentExchange';
import { ExchangeList } from './ExchangeList';
import styles from './ForeignExchangePage.module.css';
import { OrderForm } from './OrderForm';
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
        {/* It would be pushed down by what comes first. */}
        <div hidden={known.some((query) => query.isPending)}>
          <ExchangeList />
        </div>
      </div>
    </div>
  );
}

/** What must be known first: the figures, the orders and the acceptors. */
function useNow() {
  return [useProperty(), useExchanges(), useQuery(acceptorsQuery('personal'))] as const;
}

/** What can be done now: wait for the open order, or place one. */
function Now() {
  const queries = useNow();
  const [property, exchanges] = queries;
  // There again for who comes back from setting a password.
  const [entry, setEntry] = useEntryState<Entry>('entry', { type: 'personal', code: '' });
  const [acceptor, setAcceptor] = useEntryState<AcceptorDetail | null>('acceptor', null);
  const leave = useCallback(() => setAcceptor(null), [setAcceptor]);

  if (queries.some((query) => query.isPending)) return <CardSkeleton lines={4} />;
  if (!property.data || !exchanges.data) {
    return (
      // It lies on the edge of what is above it.
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
          onLeave={leave}
        />
      ) : (
        <AcceptorForm entry={entry} onChange={setEntry} onFound={setAcceptor} />
      )}
    </>
  );
}
