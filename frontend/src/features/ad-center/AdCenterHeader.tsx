import { useTranslation } from 'react-i18next';
import type { Property, Statistics } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { Link } from '@/ui/controls/Link';
import { Icon } from '@/ui/display/Icon';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { AmountText } from '@/ui/money/AmountText';
import { CountUp } from '@/ui/money/CountUp';
import styles from './AdCenterHeader.module.css';

type Props = {
  /** Undefined while it is loading, null if it could not be loaded. */
  property: Property | undefined | null;
  /** Undefined while they are loading, or could not be loaded. */
  today: Statistics | undefined;
  onStart: () => void;
};

/** What one comes for: the money at hand, what today cost and earned, and the next plan. */
export function AdCenterHeader({ property, today, onStart }: Props) {
  const { t } = useTranslation();
  const figures = [
    ['spent', today?.consumed],
    ['earned', today?.revenue],
  ] as const;
  return (
    <section className={styles.card} aria-label={t('adCenter.head')}>
      <div className={styles.top}>
        <div className={styles.money}>
          <Link className={styles.wallet} to="/wallet">
            <span>{t('wallet.available')}</span>
            <Icon name="chevron" size={18} />
          </Link>
          <div className={styles.amount}>
            {property === undefined && <Skeleton width="9rem" height="2rem" />}
            {property === null && '–'}
            {property && <AmountText amount={property.available} size="balance" counts />}
          </div>
        </div>
        <div className={styles.start}>
          <Button size="small" onClick={onStart}>
            {t('plans.start')}
          </Button>
        </div>
      </div>
      <dl className={styles.today}>
        {figures.map(([name, amount]) => (
          <div key={name}>
            <dt>{t(`adCenter.today.${name}`)}</dt>
            <dd>{amount === undefined ? '–' : <CountUp value={amount} format={formatMoney} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
