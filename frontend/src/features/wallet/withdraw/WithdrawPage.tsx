import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCachedConfig } from '@/api/queries/cached-config';
import { useProperty } from '@/api/queries/use-property';
import type { Withdrawal } from '@/api/types';
import { ListCard } from '@/shared/page/ListCard';
import { TermHelp } from '@/shared/terms/TermHelp';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Notice } from '@/ui/feedback/Notice';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { CardPicture } from '@/ui/illustrations/CardPicture';
import { WithdrawalsPicture } from '@/ui/illustrations/WithdrawalsPicture';
import {
  bankCardQuery,
  useInvalidateOnWithdrawalDecision,
  useWithdrawals,
  useWithdrawMethods,
} from '../queries';
import { WithdrawalRow } from './WithdrawalRow';
import { WithdrawForm } from './WithdrawForm';
import styles from './WithdrawPage.module.css';
import { WithdrawResult } from './WithdrawResult';

export function WithdrawPage() {
  const { t } = useTranslation();
  const simulated = useCachedConfig()?.data_source === 'simulated';
  const [asked, setAsked] = useState<Withdrawal | null>(null);
  const done = useAsItIsNow(asked);
  const asking = useAsking();
  useInvalidateOnWithdrawalDecision();
  return (
    <div className={styles.page}>
      {simulated && <Notice>{t('wallet.simulated')}</Notice>}
      {done ? (
        <WithdrawResult withdrawal={done} simulated={simulated} onAgain={() => setAsked(null)} />
      ) : (
        <Ask onDone={setAsked} />
      )}
      {/* It would be pushed down by the form. */}
      <div hidden={asking.some((query) => query.isPending)}>
        <WithdrawalList />
      </div>
    </div>
  );
}

/** The withdrawal that was just asked for, as the list knows it; none once it was cancelled there. */
function useAsItIsNow(asked: Withdrawal | null): Withdrawal | null {
  const { data } = useWithdrawals();
  const listed = data?.pages.flatMap((page) => page.items);
  const now = listed?.find(({ id }) => id === asked?.id) ?? asked;
  return now?.status === 'cancelled' ? null : now;
}

/** What the form needs to know. */
function useAsking() {
  return [useProperty(), useQuery(bankCardQuery), useWithdrawMethods()] as const;
}

/** The form, once the available amount and the destination are known. */
function Ask({ onDone }: { onDone: (withdrawal: Withdrawal) => void }) {
  const { t } = useTranslation();
  const queries = useAsking();
  const [property, card, methods] = queries;

  if (!property.data || card.data === undefined || !methods.data)
    return <Unanswered of={queries} meanwhile={<CardSkeleton lines={3} />} />;
  if (!card.data) {
    return (
      <Card>
        <EmptyState
          picture={<CardPicture />}
          title={t('wallet.bindFirst')}
          description={t('wallet.bindFirstHint')}
          action={<LinkButton to="/wallet/bind-card">{t('ui.wayBindCard')}</LinkButton>}
        />
      </Card>
    );
  }
  const method = methods.data.find((one) => one.method === card.data?.method);
  return (
    <WithdrawForm
      property={property.data}
      card={card.data}
      feeRate={method?.fee_rate ?? '0'}
      onDone={onDone}
    />
  );
}

function WithdrawalList() {
  const { t } = useTranslation();
  const withdrawals = useWithdrawals();
  const { data: property } = useProperty();
  return (
    <ListCard
      query={withdrawals}
      title={t('wallet.withdrawals')}
      aside={property && <TermHelp term="withdrawing" amount={property.withdrawing} />}
      keyOf={(one) => one.id}
      renderItem={(one) => <WithdrawalRow withdrawal={one} />}
      empty={
        <EmptyState
          picture={<WithdrawalsPicture />}
          title={t('wallet.noWithdrawals')}
          description={t('wallet.noWithdrawalsHint')}
        />
      }
    />
  );
}
