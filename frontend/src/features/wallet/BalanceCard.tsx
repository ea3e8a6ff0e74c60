import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Currency, Property } from '@/api/types';
import { openCustomerService } from '@/app/customer-service';
import { AmountText } from '@/ui/AmountText';
import { Icon, type IconName } from '@/ui/Icon';
import styles from './BalanceCard.module.css';

type Props = { property: Property; currency: Currency; hidden: boolean; onToggle: () => void };

/** The one large figure, and what can be done with the money. */
export function BalanceCard({ property, currency, hidden, onToggle }: Props) {
  const { t } = useTranslation();
  return (
    <section className={styles.card} aria-label={t('wallet.totalAssets')}>
      <div className={styles.top}>
        <span className={styles.label}>{t('wallet.totalAssets')}</span>
        <button
          type="button"
          className={styles.eye}
          aria-label={t('wallet.hideAmounts')}
          aria-pressed={hidden}
          onClick={onToggle}
        >
          <Icon name={hidden ? 'eye-off' : 'eye'} size={22} />
        </button>
      </div>
      <AmountText
        amount={property.total_assets}
        currency={currency}
        size="balance"
        hidden={hidden}
      />
      <p className={styles.available}>
        {t('wallet.available')}
        <AmountText amount={property.available} currency={currency} hidden={hidden} />
      </p>
      <nav className={styles.actions} aria-label={t('wallet.actions')}>
        <ActionLink to="/wallet/withdraw" icon="arrow-up" text={t('wallet.withdraw')} />
        <button
          type="button"
          className={styles.action}
          onClick={() => openCustomerService({ recharge: true })}
        >
          <ActionIcon icon="arrow-down" />
          {t('wallet.recharge')}
        </button>
        <ActionLink
          to="/wallet/bind-card"
          icon="bank"
          text={t(property.bank_card_bound ? 'wallet.card' : 'wallet.bindCard')}
        />
        <ActionLink to="/wallet/set-password" icon="lock" text={t('wallet.password')} />
      </nav>
    </section>
  );
}

function ActionLink({ to, icon, text }: { to: string; icon: IconName; text: string }) {
  return (
    <Link className={styles.action} to={to}>
      <ActionIcon icon={icon} />
      {text}
    </Link>
  );
}

function ActionIcon({ icon }: { icon: IconName }) {
  return (
    <span className={styles.icon}>
      <Icon name={icon} size={22} />
    </span>
  );
}
