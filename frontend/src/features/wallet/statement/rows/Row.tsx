import { useTranslation } from 'react-i18next';
import type { DayBilling, Flow, FlowRow } from '@/api/types';
import { formatCount, formatMoney, formatTime } from '@/i18n/format';
import { flowKinds } from '../flow-kinds';
import { partsOf, platformPart } from './billing-parts';
import { RowAmount, RowButton, type RowLook } from './RowButton';

type Props = Omit<RowLook, 'plan'> & { row: FlowRow };

/** A movement, or what was billed to a plan on one day. */
export function Row({ row: { line, billing, plan }, ...rest }: Props) {
  if (billing) return <BillingRow billing={billing} plan={plan} {...rest} />;
  return line && <LineRow line={line} plan={plan} {...rest} />;
}

type BillingRowProps = RowLook & { billing: DayBilling };

/** The amount billed to a plan on one day: the user's own money, and beside it the rest. */
function BillingRow({ billing, plan, hidden, explained, onOpen }: BillingRowProps) {
  const { t } = useTranslation();
  const { own, others } = partsOf(billing);
  const kind = t('wallet.kind.ad_billing');
  const charges = t('wallet.charges', { count: billing.lines, lines: formatCount(billing.lines) });
  const paid = others.map(({ name, amount }) =>
    t(`wallet.paidBy.${name}`, { amount: hidden ? '••••' : formatMoney(amount) }),
  );
  return (
    <RowButton
      icon={flowKinds.ad_billing}
      title={plan ? plan.product : kind}
      details={[plan && [kind, plan.number], charges]}
      tag={own ? t('wallet.fromBudget') : t(`wallet.notYours.${others[0]?.name ?? 'coupon'}`)}
      amount={<RowAmount amount={own ?? billing.amount} hidden={hidden} theirs={own === null} />}
      beside={own && paid.length > 0 ? paid.join(' · ') : null}
      about={explained ? t('wallet.kindAbout.ad_billing') : null}
      onOpen={onOpen}
    />
  );
}

type LineRowProps = RowLook & { line: Flow };

/** One line of the statement, named after the product if it is about a plan. */
function LineRow({ line, plan, hidden, explained, onOpen }: LineRowProps) {
  const { t } = useTranslation();
  const kind = line.added ? t('wallet.added') : t(`wallet.kind.${line.kind}`);
  const theirs = platformPart(line);
  const budget = line.account === 'held' ? t('wallet.fromBudget') : null;
  const balance = hidden ? '••••' : t('wallet.balanceAfter', { amount: formatMoney(line.balance) });
  return (
    <RowButton
      icon={flowKinds[line.kind]}
      title={plan ? plan.product : kind}
      details={[plan && [kind, plan.number], plan ? null : line.remark, formatTime(line.time)]}
      tag={theirs ? t(`wallet.notYours.${theirs}`) : budget}
      amount={<RowAmount amount={line.amount} hidden={hidden} theirs={!!theirs} />}
      beside={line.account === 'available' ? balance : null}
      about={explained ? t(`wallet.kindAbout.${line.kind}`) : null}
      onOpen={onOpen}
    />
  );
}
