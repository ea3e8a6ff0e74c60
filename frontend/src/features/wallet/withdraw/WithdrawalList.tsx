import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import { TermHelp } from '@/shared/terms/TermHelp';
import { Card } from '@/ui/display/Card';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { WithdrawalsPicture } from '@/ui/illustrations/WithdrawalsPicture';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import { useWithdrawals } from '../queries';
import { WithdrawalRow } from './WithdrawalRow';

export function WithdrawalList() {
  const { t } = useTranslation();
  const withdrawals = useWithdrawals();
  const { data: property } = useProperty();
  return (
    <Card
      title={t('wallet.withdrawals')}
      aside={property && <TermHelp term="withdrawing" amount={property.withdrawing} />}
    >
      <InfiniteList
        query={withdrawals}
        label={t('wallet.withdrawals')}
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
    </Card>
  );
}
