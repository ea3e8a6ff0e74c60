import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCachedConfig } from '@/api/queries/cached-config';
import type { BasicConfig, Property } from '@/api/types';
import { useUser } from '@/api/user';
import { formatDate, formatMoney } from '@/i18n/format';
import { vipUntil } from '@/shared/account/vip';
import { PasswordFirst } from '@/shared/money/PasswordFirst';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { usePayment } from '@/shared/money/use-payment';
import { ServiceButton } from '@/shared/service/ServiceButton';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { Icon } from '@/ui/display/Icon';
import { StatusTag } from '@/ui/display/StatusTag';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { compareDecimals, subtractDecimals } from '@/ui/money/decimal';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import styles from './LevelPage.module.css';

type Vip = BasicConfig['vip'];

/** The subscription: its benefits, its price, and that only the user renews it. */
export function VipCard({ property }: { property: Property }) {
  const { t } = useTranslation();
  const user = useUser();
  const config = useCachedConfig();
  if (!user || !config) return null;
  const running = vipUntil(user);
  const aside = running && (
    <StatusTag tone="positive">{t('level.vip.until', { date: formatDate(running) })}</StatusTag>
  );
  return (
    <Card title={t('level.vip.title')} aside={aside}>
      <ul className={styles.benefits}>
        {config.vip.benefits.map((benefit) => (
          <li key={benefit} className={styles.benefit}>
            <Icon name="check" size={18} />
            {benefit}
          </li>
        ))}
      </ul>
      <Subscribe vip={config.vip} running={running !== null} property={property} />
    </Card>
  );
}

type SubscribeProps = { vip: Vip; running: boolean; property: Property };

function Subscribe({ vip, running, property }: SubscribeProps) {
  const { t } = useTranslation();
  const subscribe = usePayment('/vip/subscribe');
  const [asking, setAsking] = useState(false);
  const price = formatMoney(vip.price);
  const term = t('plans.days', { count: vip.days });
  const enough = compareDecimals(property.available, vip.price) >= 0;
  const facts = [
    { label: t('level.vip.price'), value: price, hint: t('level.vip.priceHint') },
    { label: t('level.vip.term'), value: term, hint: running ? t('level.vip.added') : undefined },
    { label: t('level.vip.available'), value: formatMoney(property.available) },
    enough && {
      label: t('level.vip.after'),
      value: formatMoney(subtractDecimals(property.available, vip.price)),
    },
  ];
  return (
    <>
      <Facts facts={facts} />
      <p className={styles.hint}>{t('level.vip.once')}</p>
      {!enough && (
        <Notice tone="warning" action={<ServiceButton recharge />}>
          {t('level.vip.tooDear')}
        </Notice>
      )}
      {!property.pay_password_set && <PasswordFirst />}
      <RefusalNotice error={subscribe.error} />
      <Button
        disabled={!property.pay_password_set || (!enough && !subscribe.isError)}
        onClick={() => setAsking(true)}
      >
        {t(running ? 'level.vip.extend' : 'level.vip.subscribe', { price })}
      </Button>
      <TransactionPasswordDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={async (password) => {
          const { until } = await subscribe.mutateAsync({ password });
          showToast(t('level.vip.until', { date: formatDate(until) }), 'success');
        }}
      >
        <div className={styles.confirmed}>
          <p>{t('level.vip.confirm', { term })}</p>
          <strong>{price}</strong>
          <p>{t('level.vip.once')}</p>
        </div>
      </TransactionPasswordDialog>
    </>
  );
}
