import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DayBilling, Flow, FlowPlan, FlowRow } from '@/api/types';
import { formatDate, formatMoney, formatTime } from '@/i18n/format';
import { planPath } from '@/pages';
import { chargedPath } from '@/shared/money/events-path';
import { Link } from '@/ui/controls/Link';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Facts } from '@/ui/display/Facts';
import { Icon } from '@/ui/display/Icon';
import { Sheet } from '@/ui/layers/Sheet';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import { LinesSum } from '../LinesSum';
import { billsQuery } from '../queries';
import styles from './BillingSheet.module.css';
import { partsOf, platformPart } from './billing-parts';
import { RowAmount } from './RowButton';

type Props = { row: FlowRow | null; hidden: boolean; onClose: () => void };

/** A plan's day, opened to the bills that it is the sum of. */
export function BillingSheet({ row, hidden, onClose }: Props) {
  const { t } = useTranslation();
  const { billing, plan } = row ?? {};
  return (
    <Sheet
      open={!!billing}
      onClose={onClose}
      title={t('wallet.kind.ad_billing')}
      actions={plan && <LinkButton to={planPath(plan.id)}>{t('wallet.wayTo.plan')}</LinkButton>}
    >
      {billing && (
        <>
          <BillingAmounts billing={billing} hidden={hidden} />
          <Facts
            facts={[
              plan && { label: t('wallet.line.product'), value: plan.product },
              plan && { label: t('wallet.line.plan'), value: plan.number },
              { label: t('wallet.line.day'), value: formatDate(billing.from) },
            ]}
          />
          {plan && <Bills plan={plan} from={billing.from} until={billing.until} hidden={hidden} />}
        </>
      )}
    </Sheet>
  );
}

type BillsProps = { plan: FlowPlan; from: string; until: string; hidden: boolean };

function Bills({ plan, from, until, hidden }: BillsProps) {
  const { t } = useTranslation();
  const bills = useInfiniteQuery(billsQuery(plan.id, { from, until }));
  const sum = bills.data?.pages[0]?.sum;
  return (
    <section className={styles.bills}>
      {sum && <LinesSum sum={sum} hidden={hidden} />}
      <InfiniteList
        query={bills}
        label={t('wallet.chargesOfDay')}
        keyOf={(bill) => bill.id}
        renderItem={(bill) => <Bill bill={bill} plan={plan} hidden={hidden} />}
        empty={null}
      />
    </section>
  );
}

type BillProps = { bill: Flow; plan: FlowPlan; hidden: boolean };

/** A charge, which leads to the events that it was for. */
function Bill({ bill, plan, hidden }: BillProps) {
  const { t } = useTranslation();
  const theirs = platformPart(bill);
  return (
    <Link to={chargedPath(plan, bill.id)} className={styles.bill}>
      <time dateTime={bill.time}>{formatTime(bill.time)}</time>
      {theirs && <span className={styles.tag}>{t(`wallet.notYours.${theirs}`)}</span>}
      <RowAmount amount={bill.amount} hidden={hidden} theirs={!!theirs} />
      <Icon name="chevron" size={18} />
      <span className="visually-hidden">{t('plans.events.everyOnBill')}</span>
    </Link>
  );
}

type BillingAmountsProps = { billing: DayBilling; hidden: boolean };

/** The user's own money first, and what others paid as a line of its own. */
function BillingAmounts({ billing, hidden }: BillingAmountsProps) {
  const { t } = useTranslation();
  const { own, others } = partsOf(billing);
  return (
    <div>
      <p className={styles.amount}>
        <RowAmount amount={own ?? billing.amount} hidden={hidden} theirs={own === null} />
      </p>
      {(own ? others : []).map(({ name, amount }) => (
        <p key={name} className={styles.note}>
          {t(`wallet.paidBy.${name}`, { amount: hidden ? '••••' : formatMoney(amount) })}
        </p>
      ))}
      {!own && <p className={styles.note}>{t(`wallet.notYours.${others[0]?.name ?? 'coupon'}`)}</p>}
    </div>
  );
}
