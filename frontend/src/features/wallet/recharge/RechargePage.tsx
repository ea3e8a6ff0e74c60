import { useTranslation } from 'react-i18next';
import type { RechargeAnnouncement, RechargeForm } from '@/api/types';
import { formatDate, formatDateTime, formatMoney } from '@/i18n/format';
import { ListCard } from '@/shared/page/ListCard';
import { Refreshable } from '@/shared/page/Refreshable';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { FlowPicture } from '@/ui/illustrations/FlowPicture';
import { AmountText } from '@/ui/money/AmountText';
import { TakeBack } from '../TakeBack';
import { PayInForm } from './PayInForm';
import { useRechargeForm, useRecharges } from './queries';
import styles from './RechargePage.module.css';
import { RechargeRow } from './RechargeRow';

/** How a recharge is made, what is announced, and what became of each. */
export function RechargePage() {
  const { t } = useTranslation();
  const recharges = useRecharges();
  const form = useRechargeForm();
  return (
    <Refreshable>
      <div className={styles.page}>
        {form.isPending && <CardSkeleton lines={4} />}
        <PayIn form={form.data} />
        <Announcements form={form.data} />
        <ListCard
          query={recharges}
          title={t('wallet.recharges.title')}
          keyOf={(one) => one.id}
          renderItem={(one) => <RechargeRow recharge={one} />}
          empty={
            <EmptyState
              picture={<FlowPicture />}
              title={t('wallet.recharges.none')}
              description={t('wallet.recharges.noneHint')}
            />
          }
        />
      </div>
    </Refreshable>
  );
}

type Props = { form: RechargeForm | undefined };

/** The form where staff have said where to pay; customer service in any case. */
function PayIn({ form }: Props) {
  const { t } = useTranslation();
  const ask = (variant: 'primary' | 'secondary') => (
    <Button
      icon="headset"
      variant={variant}
      onClick={() => openCustomerService({ recharge: true })}
    >
      {t('wallet.recharges.ask')}
    </Button>
  );
  if (!form?.accounts.length) {
    return (
      <Card>
        <p className="intro">{t('wallet.recharges.intro')}</p>
        {ask('primary')}
      </Card>
    );
  }
  return (
    <Card title={t('wallet.payIn.title')}>
      <p className="intro">{t('wallet.payIn.intro')}</p>
      <PayInForm form={form} />
      <div className={styles.ask}>{ask('secondary')}</div>
    </Card>
  );
}

function Announcements({ form }: Props) {
  const { t } = useTranslation();
  if (!form?.announcements.length) return null;
  return (
    <Card title={t('wallet.payIn.open')}>
      <ul className={styles.list} aria-label={t('wallet.payIn.open')}>
        {form.announcements.map((announcement) => (
          <li key={announcement.id}>
            <AnnouncementRow announcement={announcement} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** A payment that was announced: what it waits for, and how to take it back. */
function AnnouncementRow({ announcement }: { announcement: RechargeAnnouncement }) {
  const { t } = useTranslation();
  const { amount, label, waits_for: waitsFor, announced_at: at, lapses_at: until } = announcement;
  const money = formatMoney(amount);
  return (
    <div className={styles.row}>
      <AmountText amount={amount} />
      <span className={styles.to}>{label}</span>
      <time dateTime={at}>{formatDateTime(at)}</time>
      {waitsFor && <p className={styles.waits}>{t(`wallet.payIn.waits.${waitsFor}`)}</p>}
      <p className={styles.hint}>{t('wallet.recharges.until', { date: formatDate(until) })}</p>
      <div className={styles.withdraw}>
        <TakeBack
          path="/user/recharge/announce/cancel"
          id={announcement.id}
          texts={{
            action: t('wallet.payIn.withdraw'),
            name: `${t('wallet.payIn.withdraw')}: ${money}`,
            title: t('wallet.payIn.withdrawTitle'),
            done: t('wallet.payIn.withdrawn'),
            tooLate: t('wallet.payIn.withdrawTooLate'),
          }}
        >
          {t('wallet.payIn.withdrawText', { amount: money })}
        </TakeBack>
      </div>
    </div>
  );
}
