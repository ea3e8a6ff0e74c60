import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import type { Currency, Withdrawal } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { TermHelp } from '@/shared/terms/TermHelp';
import { Card } from '@/ui/display/Card';
import { StatusTag } from '@/ui/display/StatusTag';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { WithdrawalsPicture } from '@/ui/illustrations/WithdrawalsPicture';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import { AmountText } from '@/ui/money/AmountText';
import { useWithdrawals } from '../queries';
import styles from './WithdrawPage.module.css';
import { withdrawalTones } from './withdrawal-tones';

export function WithdrawalList({ currency }: { currency: Currency }) {
  const { t } = useTranslation();
  const withdrawals = useWithdrawals();
  const { data: property } = useProperty();
  return (
    <Card
      title={t('wallet.withdrawals')}
      aside={
        property && (
          <TermHelp
            term="withdrawing"
            amount={property.withdrawing}
            currency={currency}
            hidden={false}
          />
        )
      }
    >
      <InfiniteList
        query={withdrawals}
        label={t('wallet.withdrawals')}
        keyOf={(one) => one.id}
        renderItem={(one) => <WithdrawalRow withdrawal={one} currency={currency} />}
        empty={
          <EmptyState
            picture={<WithdrawalsPicture />}
            title={t('wallet.noWithdrawals')}
            description={t('wallet.noWithdrawalsHint')}
          />
        }
      />
    </Card>
  );
}

function WithdrawalRow({ withdrawal, currency }: { withdrawal: Withdrawal; currency: Currency }) {
  const { t } = useTranslation();
  const { amount, status, requested_at: at, reason } = withdrawal;
  return (
    <div className={styles.row}>
      <AmountText amount={amount} currency={currency} />
      <StatusTag tone={withdrawalTones[status]}>{t(`wallet.withdrawal.${status}`)}</StatusTag>
      <time dateTime={at}>{formatDateTime(at)}</time>
      {reason && <p className={styles.reason}>{t('wallet.reason', { reason })}</p>}
    </div>
  );
}
