import { useTranslation } from 'react-i18next';
import type { Property } from '@/api/types';
import { openCustomerService } from '@/shared/service/customer-service';
import { IconButton } from '@/ui/controls/IconButton';
import { Link } from '@/ui/controls/Link';
import { Icon } from '@/ui/display/Icon';
import { AmountText } from '@/ui/money/AmountText';
import { isPositive } from '@/ui/money/decimal';
import { useRechargeForm } from '../recharge/queries';
import styles from './BalanceCard.module.css';

type Props = { property: Property; hidden: boolean; onToggle: () => void };

/** The main figure, and the two ways in which money comes in and goes out; what can be done stands out. */
export function BalanceCard({ property, hidden, onToggle }: Props) {
  const { t } = useTranslation();
  return (
    <section className={styles.card} aria-label={t('wallet.totalAssets')}>
      <div className={styles.top}>
        <span className={styles.label}>{t('wallet.totalAssets')}</span>
        <IconButton
          icon={hidden ? 'eye-off' : 'eye'}
          size={22}
          label={t('wallet.hideAmounts')}
          className={styles.eye}
          aria-pressed={hidden}
          onClick={onToggle}
        />
      </div>
      <p aria-live="polite">
        <AmountText amount={property.total_assets} size="balance" hidden={hidden} counts />
      </p>
      <p className={styles.available}>
        {t('wallet.available')}
        <AmountText amount={property.available} hidden={hidden} counts />
      </p>
      <nav className={styles.actions} aria-label={t('wallet.actions')}>
        <Link
          className={styles.action}
          to="/wallet/withdraw"
          data-primary={isPositive(property.available)}
        >
          <Icon name="arrow-up" size={20} />
          {t('wallet.withdraw')}
        </Link>
        <Recharge primary={!isPositive(property.available)} />
      </nav>
    </section>
  );
}

/** To the form where staff have said where to pay, otherwise to customer service. */
function Recharge({ primary }: { primary: boolean }) {
  const { t } = useTranslation();
  const accounts = useRechargeForm().data?.accounts ?? [];
  const content = (
    <>
      <Icon name="arrow-down" size={20} />
      {t('wallet.recharge')}
    </>
  );
  if (accounts.length > 0) {
    return (
      <Link className={styles.action} to="/wallet/recharge" data-primary={primary}>
        {content}
      </Link>
    );
  }
  return (
    <button
      type="button"
      className={styles.action}
      data-primary={primary}
      onClick={() => openCustomerService({ recharge: true })}
    >
      {content}
    </button>
  );
}
