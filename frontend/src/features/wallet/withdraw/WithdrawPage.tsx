import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCachedConfig } from '@/api/queries/cached-config';
import { useProperty } from '@/api/queries/use-property';
import type { Withdrawal } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { ListCard } from '@/shared/page/ListCard';
import { TermHelp } from '@/shared/terms/TermHelp';
import { Button } from '@/ui/controls/Button';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { StatusTag, type Tone } from '@/ui/display/StatusTag';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Notice } from '@/ui/feedback/Notice';
import { SuccessState } from '@/ui/feedback/SuccessState';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { CardPicture } from '@/ui/illustrations/CardPicture';
import { WithdrawalsPicture } from '@/ui/illustrations/WithdrawalsPicture';
import { AmountText } from '@/ui/money/AmountText';
import {
  bankCardQuery,
  useInvalidateOnWithdrawalDecision,
  useWithdrawals,
  useWithdrawMethods,
} from '../queries';
import { TakeBack } from '../TakeBack';
import { WithdrawForm } from './WithdrawForm';
import styles from './WithdrawPage.module.css';

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
      {/* The list is hidden until the form is known, which would push it down. */}
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

/** The data that the form needs. */
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

type Props = { withdrawal: Withdrawal; simulated: boolean; onAgain: () => void };

function WithdrawResult({ withdrawal, simulated, onAgain }: Props) {
  const { t } = useTranslation();
  const { amount, fee, status } = withdrawal;
  const hint = simulated ? 'wallet.askedSimulated' : 'wallet.askedHint';
  return (
    <Card>
      <SuccessState
        title={t('wallet.asked')}
        description={simulated || status === 'pending' ? t(hint) : undefined}
      />
      <Facts
        facts={[
          { label: t('wallet.withdrawAmount'), value: formatMoney(amount) },
          { label: t('wallet.feePlain'), value: formatMoney(fee) },
          {
            label: t('wallet.statusLabel'),
            value: (
              <StatusTag tone={withdrawalTones[status]}>
                {t(`wallet.withdrawal.${status}`)}
              </StatusTag>
            ),
          },
        ]}
      />
      <LinkButton to="/wallet">{t('wallet.toWallet')}</LinkButton>
      <Button variant="secondary" onClick={onAgain}>
        {t('wallet.again')}
      </Button>
    </Card>
  );
}

/** One withdrawal, its progress, and a button to take it back. */
function WithdrawalRow({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation();
  const { amount, status, requested_at: at, decided_at: decided, reason } = withdrawal;
  return (
    <div className={styles.row}>
      <AmountText amount={amount} />
      <StatusTag tone={withdrawalTones[status]}>{t(`wallet.withdrawal.${status}`)}</StatusTag>
      <time dateTime={at}>{formatDateTime(at)}</time>
      {status === 'paid' && decided && (
        <p className={styles.reason}>{t('wallet.paidOn', { date: formatDateTime(decided) })}</p>
      )}
      {status === 'approved' && <p className={styles.reason}>{t('wallet.paidNext')}</p>}
      {reason && <p className={styles.reason}>{t('wallet.reason', { reason })}</p>}
      {status === 'pending' && (
        <div className={styles.cancel}>
          <TakeBack
            path="/user/withdraw/cancel"
            id={withdrawal.id}
            texts={{
              action: t('wallet.cancelWithdrawal'),
              title: t('wallet.cancelTitle'),
              done: t('wallet.cancelled'),
              tooLate: t('wallet.cancelTooLate'),
            }}
          >
            {t('wallet.cancelText', { amount: formatMoney(amount) })}
          </TakeBack>
        </div>
      )}
    </div>
  );
}

const withdrawalTones: Record<Withdrawal['status'], Tone> = {
  pending: 'warning',
  approved: 'accent',
  paid: 'positive',
  rejected: 'negative',
  cancelled: 'neutral',
};
