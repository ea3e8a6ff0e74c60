import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import { ListCard } from '@/shared/page/ListCard';
import { TermHelp } from '@/shared/terms/TermHelp';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { WithdrawalsPicture } from '@/ui/illustrations/WithdrawalsPicture';
import { useWithdrawals } from '../queries';
import { WithdrawalRow } from './WithdrawalRow';

export function WithdrawalList() {
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
