import { useTranslation } from 'react-i18next';
import type { EventBill, PlanEventDetail } from '@/api/types';
import { formatCount, formatDateTime, formatMoney, formatPrice, formatTime } from '@/i18n/format';
import { eventsPath } from '@/shared/money/events-path';
import { flowPath } from '@/shared/money/flow-path';
import { MenuRow } from '@/ui/controls/MenuRow';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { isPositive } from '@/ui/money/decimal';
import styles from './EventPage.module.css';

const paidBy = {
  available: 'plans.paid',
  promotional: 'plans.credit',
  coupon: 'plans.coupon.label',
} as const;

type Props = { event: PlanEventDetail; plan: string };

/** What was billed for an event: the bill it is on, as a sum that can be checked, and its lines. */
export function BillCard({ event, plan }: Props) {
  const { t } = useTranslation();
  const { bill, billing } = event;
  return (
    <Card title={t('plans.events.billing')}>
      {bill && <Bill bill={bill} event={event} plan={plan} />}
      {billing && billing !== 'billed' && (
        <p className={styles.about}>
          {billing === 'waiting' && event.bill_at
            ? t('plans.events.waitingUntil', { time: formatDateTime(event.bill_at) })
            : t(`plans.events.state.${billing}`)}
        </p>
      )}
      {billing === 'earlier' && (
        <div className={styles.rows}>
          <MenuRow
            icon="list"
            label={t('wallet.kind.ad_billing')}
            to={flowPath({ plan, kind: 'ad_billing', stretch: around(event.time, 60) })}
          />
        </div>
      )}
    </Card>
  );
}

type BillProps = { bill: EventBill; event: PlanEventDetail; plan: string };

function Bill({ bill, event, plan }: BillProps) {
  const { t } = useTranslation();
  const facts = [
    {
      label: `${formatCount(bill.events)} × ${formatPrice(bill.price)}`,
      value: formatPrice(bill.cost),
    },
    isPositive(bill.carried_in) && {
      label: t('plans.events.carriedIn'),
      value: `+${formatPrice(bill.carried_in)}`,
    },
    isPositive(bill.carried_out) && {
      label: t('plans.events.carriedOut'),
      value: formatPrice(`-${bill.carried_out}`),
      hint: t('plans.events.carriedHint'),
    },
  ];
  return (
    <>
      <p className={styles.about}>{t('plans.events.onItsBill')}</p>
      <Facts facts={facts} />
      <p className={styles.total}>
        <span>{t('plans.events.billed', { time: formatDateTime(bill.time) })}</span>
        <span>{formatMoney(bill.amount)}</span>
      </p>
      <div className={styles.rows}>
        {bill.lines.map((line) => (
          <MenuRow
            key={line.id}
            icon="wallet"
            label={t(paidBy[line.paid_by])}
            hint={`${t('wallet.kind.ad_billing')} · ${formatTime(line.time)}`}
            value={formatMoney(line.amount)}
            to={flowPath({ plan, kind: 'ad_billing', stretch: around(line.time, 1) })}
          />
        ))}
        <MenuRow
          icon="list"
          label={t('plans.events.everyOnBill')}
          to={eventsPath({
            plan,
            kind: event.kind,
            verdict: 'counted',
            line: bill.lines[0]?.id ?? null,
          })}
        />
      </div>
      {bill.parts.length > 0 && <Parts bill={bill} />}
    </>
  );
}

/** The shares of a bill, by recipient. */
function Parts({ bill }: { bill: EventBill }) {
  const { t } = useTranslation();
  const facts = bill.parts.map(({ name, domain, exchange, billed, publisher, platform }) => {
    const amounts = { publisher: formatMoney(publisher), platform: formatMoney(platform) };
    const shares = t(exchange ? 'plans.events.toExchange' : 'plans.events.toPublisher', amounts);
    return {
      label: name,
      value: formatMoney(billed),
      hint: domain ? `${domain} · ${shares}` : shares,
    };
  });
  return (
    <>
      <p className={styles.about}>{t('plans.events.whoGotIt')}</p>
      <Facts facts={facts} />
      {bill.other_parts > 0 && (
        <p className={styles.about}>{t('plans.events.otherParts', { count: bill.other_parts })}</p>
      )}
    </>
  );
}

/** A period of some seconds from a moment on. Bills of one plan are further apart. */
function around(time: string, seconds: number) {
  const from = new Date(time);
  return {
    from: from.toISOString(),
    until: new Date(from.getTime() + seconds * 1000).toISOString(),
  };
}
