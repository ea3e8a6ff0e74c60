import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { AmountText } from '@/ui/money/AmountText';
import { DepositForm } from './DepositForm';
import styles from './DepositPage.module.css';

/** The deposit is voluntary: nothing requires it, and no withdrawal depends on it. */
export function DepositPage() {
  const { t } = useTranslation();
  const property = useProperty();
  if (property.isPending) return <CardSkeletons className={styles.page} lines={[2, 4]} />;
  if (!property.data) return <Unanswered of={property} />;
  return (
    <div className={styles.page}>
      <section className={styles.hero} aria-label={t('wallet.deposit')}>
        <p>{t('wallet.depositNow')}</p>
        <AmountText amount={property.data.deposit} size="balance" />
        <p className={styles.text}>{t('wallet.depositText')}</p>
      </section>
      <DepositForm property={property.data} />
    </div>
  );
}
