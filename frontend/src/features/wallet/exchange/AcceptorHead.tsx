import { useTranslation } from 'react-i18next';
import type { AcceptorDetail } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { StatusTag } from '@/ui/display/StatusTag';
import styles from './ExchangeForm.module.css';

type Props = { acceptor: AcceptorDetail; onLeave: () => void };

/** The acceptor, its limit, and how to choose another. */
export function AcceptorHead({ acceptor, onLeave }: Props) {
  const { t } = useTranslation();
  return (
    <div>
      <div className={styles.head}>
        <StatusTag tone="accent">{t(`exchange.type.${acceptor.type}`)}</StatusTag>
        <Button size="small" variant="quiet" onClick={onLeave}>
          {t('exchange.other')}
        </Button>
      </div>
      <h2 className={styles.name}>{acceptor.name}</h2>
      <p className={styles.detail}>{t('exchange.upTo', { amount: formatMoney(acceptor.limit) })}</p>
      {acceptor.left_today !== null && (
        <p className={styles.detail}>
          {t('exchange.leftToday', { amount: formatMoney(acceptor.left_today) })}
        </p>
      )}
      {!acceptor.rates.length && <p className={styles.detail}>{t('exchange.noRates')}</p>}
    </div>
  );
}
