import { useTranslation } from 'react-i18next';
import type { User } from '@/api/types';
import { useCurrency } from '@/app/basic-config';
import { formatCount, formatMoney } from '@/i18n/format';
import styles from './ShopCard.module.css';

export function ShopCard({ user }: { user: User }) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const facts = [
    [t('adCenter.level'), formatCount(user.level)],
    [t('adCenter.credit'), formatCount(user.credit_score)],
    [t('adCenter.deposit'), formatMoney(user.deposit, currency)],
  ];
  return (
    <section className={styles.card} aria-label={t('adCenter.account')}>
      <p className={styles.name}>{user.nickname || user.username}</p>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
