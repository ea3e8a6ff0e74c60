import { useTranslation } from 'react-i18next';
import type { Property } from '@/api/types';
import { Link } from '@/ui/controls/Link';
import { Icon, type IconName } from '@/ui/display/Icon';
import styles from './WalletLinks.module.css';

/** Links to the other pages of the wallet. */
export function WalletLinks({ property }: { property: Property }) {
  const { t } = useTranslation();
  return (
    <nav className={styles.links} aria-label={t('wallet.more')}>
      <Tile
        to="/wallet/bind-card"
        icon="bank"
        text={t(property.bank_card_bound ? 'wallet.card' : 'wallet.bindCard')}
      />
      <Tile to="/wallet/foreign-exchange" icon="globe" text={t('wallet.foreignExchange')} />
      <Tile to="/wallet/set-password" icon="lock" text={t('wallet.password')} />
      <Tile to="/wallet/deposit" icon="shield" text={t('wallet.deposit')} />
    </nav>
  );
}

function Tile({ to, icon, text }: { to: string; icon: IconName; text: string }) {
  return (
    <Link className={styles.tile} to={to}>
      <span className={styles.icon}>
        <Icon name={icon} size={22} />
      </span>
      {text}
    </Link>
  );
}
