import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import type { BankCard } from '@/api/types';
import { useLeaving } from '@/shared/forms/use-leaving';
import { Icon } from '@/ui/display/Icon';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { bankCardQuery, useWithdrawMethods } from '../queries';
import { BindCardForm } from './BindCardForm';
import styles from './BindCardPage.module.css';
import { maskedNumber } from './bank-card.schema';

export function BindCardPage() {
  const { t } = useTranslation();
  const card = useQuery(bankCardQuery);
  const methods = useWithdrawMethods();
  const property = useProperty();
  const [saved, setSaved] = useState(false);
  useLeaving(saved);
  const queries = [card, methods, property];
  if (queries.some((query) => query.isPending))
    return <CardSkeletons className={styles.page} lines={[2, 6]} />;
  if (card.data === undefined || !methods.data || !property.data)
    return <Unanswered of={queries} />;
  return (
    <div className={styles.page}>
      {card.data ? (
        <BoundCard card={card.data} />
      ) : (
        <p className="intro">{t('wallet.bindIntro')}</p>
      )}
      {/* A card that was just bound gets a fresh form, because the typed values are the bound
         ones now. */}
      <BindCardForm
        key={JSON.stringify(card.data)}
        card={card.data}
        methods={methods.data}
        hasPassword={property.data.pay_password_set}
        onDone={() => setSaved(true)}
      />
    </div>
  );
}

/** The current destination of withdrawals, with its number masked. */
function BoundCard({ card }: { card: BankCard }) {
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
