import { useTranslation } from 'react-i18next';
import type { Property } from '@/api/types';
import { Tiles } from '@/ui/controls/Tiles';

/** Links to the other pages of the wallet. */
export function WalletLinks({ property }: { property: Property }) {
  const { t } = useTranslation();
  const card = t(property.bank_card_bound ? 'wallet.card' : 'wallet.bindCard');
  return (
    <Tiles
      label={t('wallet.more')}
      look="row"
      tiles={[
        { to: '/wallet/bind-card', icon: 'bank', text: card },
        { to: '/wallet/foreign-exchange', icon: 'globe', text: t('wallet.foreignExchange') },
        { to: '/wallet/set-password', icon: 'lock', text: t('wallet.password') },
        { to: '/wallet/deposit', icon: 'shield', text: t('wallet.deposit') },
      ]}
    />
  );
}
