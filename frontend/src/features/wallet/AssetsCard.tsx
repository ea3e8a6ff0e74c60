import { useTranslation } from 'react-i18next';
import type { Currency, Property } from '@/api/types';
import { AmountText } from '@/ui/AmountText';
import { Card } from '@/ui/Card';
import { isPositive } from '@/ui/decimal';
import styles from './AssetsCard.module.css';

type Props = { property: Property; currency: Currency; hidden: boolean };

/** What the total is made of; promotional credit stands apart, since it is no part of it. */
export function AssetsCard({ property, currency, hidden }: Props) {
  const { t } = useTranslation();
  const parts = [
    { key: 'toBeConsumed', amount: property.to_be_consumed, always: true },
    { key: 'toBeSettled', amount: property.to_be_settled, always: true },
    { key: 'withdrawing', amount: property.withdrawing, always: true },
    { key: 'deposit', amount: property.deposit, always: false },
    { key: 'exchanging', amount: property.exchanging, always: false },
  ] as const;
  const shown = parts.filter(({ amount, always }) => always || isPositive(amount));
  return (
    <Card>
      <dl className={styles.parts}>
        {shown.map(({ key, amount }) => (
          <div key={key} className={styles.part}>
            <dt>{t(`wallet.${key}`)}</dt>
            <dd>
              <AmountText amount={amount} currency={currency} hidden={hidden} />
            </dd>
          </div>
        ))}
      </dl>
      {isPositive(property.promotional) && (
        <dl className={styles.beside}>
          <div className={styles.promotional}>
            <dt>
              {t('wallet.promotional')}
              <span className={styles.hint}>{t('wallet.promotionalHint')}</span>
            </dt>
            <dd>
              <AmountText amount={property.promotional} currency={currency} hidden={hidden} />
            </dd>
          </div>
        </dl>
      )}
    </Card>
  );
}
