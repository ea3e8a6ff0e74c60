import { useTranslation } from 'react-i18next';
import type { BankCard } from '@/api/types';
import { Icon } from '@/ui/display/Icon';
import styles from './BoundCard.module.css';
import { maskedNumber } from './bank-card.schema';

/** The current destination of withdrawals, with its number masked. */
export function BoundCard({ card }: { card: BankCard }) {
  const { t } = useTranslation();
  const bank = card.method === 'bank_card';
  return (
    <section className={styles.card} aria-label={t('wallet.boundNow')}>
      <div className={styles.top}>
        <Icon name={bank ? 'bank' : 'wallet'} />
        <span>{bank ? card.bank_name : card.network}</span>
      </div>
      <p className={styles.number}>{maskedNumber(card)}</p>
      <p className={styles.name}>{bank ? card.user_name : t('wallet.method.wallet_address')}</p>
    </section>
  );
}
