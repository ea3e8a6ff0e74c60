import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { call } from '@/api/call';
import type { PlanStatus } from '@/api/types';
import { formatDate, formatMoney } from '@/i18n/format';
import { planPath } from '@/pages';
import { Link } from '@/ui/controls/Link';
import { LinkButton } from '@/ui/controls/LinkButton';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { Sheet } from '@/ui/layers/Sheet';
import { AmountText } from '@/ui/money/AmountText';
import { compareDecimals } from '@/ui/money/decimal';
import { billedBy } from './billed-by';
import { isPlanTerm, nextSettlement, type PlanTerm, planParts, sumOf } from './plan-parts';
import styles from './TermSheet.module.css';
import { type Term, wayBehind } from './terms';
import { useTermName } from './use-term-name';

export type TermSheetProps = { term: Term; amount: string; hidden?: boolean; onClose: () => void };

/** Explains a figure: its meaning, its parts, and what becomes of it. */
export function TermSheet({ term, amount, hidden = false, onClose }: TermSheetProps) {
  const { t } = useTranslation();
  const name = useTermName(term);
  const way = wayBehind(term);
  const { key, pathname } = useLocation();
  const opened = useRef(key);
  // A link may lead to another part of the same page.
  useEffect(() => {
    if (key !== opened.current) onClose();
  }, [key, onClose]);
  const wayName =
    'kind' in way
      ? t('terms.lines', { kind: t(`wallet.kind.${way.kind}`) })
      : 'name' in way
        ? t(`wallet.wayTo.${way.name}`)
        : t('wallet.funding');
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('terms.what', { term: name })}
      actions={way.to !== pathname && <LinkButton to={way.to}>{wayName}</LinkButton>}
    >
      <p className={styles.amount}>
        <AmountText amount={amount} hidden={hidden} />
      </p>
      <div className={styles.about}>
        <p>
          {term === 'consumed'
            ? t('terms.consumed', { time: billedBy() })
            : t(`wallet.about.${term}`)}
        </p>
        {term === 'toBeConsumed' && <p>{t('terms.spending')}</p>}
        {term === 'withdrawing' && <p>{t('terms.waiting')}</p>}
        {isPlanTerm(term) && <PlanParts term={term} amount={amount} hidden={hidden} />}
      </div>
    </Sheet>
  );
}

type Props = { term: PlanTerm; amount: string; hidden: boolean };

/** The plans that a figure is the sum of, each with a link, and when it becomes available. */
function PlanParts({ term, amount, hidden }: Props) {
  const { t } = useTranslation();
  const underWay = usePlansUnderWay();
  const { data } = underWay;
  if (!data) return <Unanswered of={underWay} meanwhile={<CardSkeleton lines={2} />} />;
  const parts = planParts(data.plans, term);
  const sum = sumOf(parts);
  // Figures change while they are read: a sum that differs from the figure would only confuse.
  const agrees = compareDecimals(sum, amount) === 0;
  // The sum of what plans hold is computed here, and shown only if it agrees with the wallet's.
  const known = agrees || term === 'toBeSettled';
  const next = term === 'toBeSettled' && parts.length > 0 ? nextSettlement(parts) : undefined;
  const money = (value: string) => (hidden ? '••••••' : formatMoney(value));
  return (
    <>
      {next !== undefined && (
        <p>{next ? t('terms.nextSettlement', { date: formatDate(next) }) : t('terms.noDate')}</p>
      )}
      {parts.length === 0 && <p className={styles.note}>{t('terms.none')}</p>}
      {parts.length > 0 && (
        <table className={styles.parts}>
          <caption>{t('terms.byPlan')}</caption>
          <tbody>
            {parts.map(({ plan, amount: part }) => (
              <tr key={plan.id}>
                <th scope="row">
                  <Link className={styles.plan} to={planPath(plan.id)}>
                    {plan.product.name}
                    <span className={styles.number}>{plan.plan_no}</span>
                  </Link>
                </th>
                {known && <td>{money(part)}</td>}
              </tr>
            ))}
          </tbody>
          {agrees && (
            <tfoot>
              <tr>
                <th scope="row">{t('terms.together')}</th>
                <td>{money(sum)}</td>
              </tr>
            </tfoot>
          )}
        </table>
      )}
      {data.more && <p className={styles.note}>{t('terms.morePlans')}</p>}
    </>
  );
}

/** Whether a plan then holds money or waits for settlement. */
const isUnderWay: Record<PlanStatus, boolean> = {
  waiting_to_put: false,
  matching: true,
  putting: true,
  put_failed: false,
  put_finished: true,
  waiting_settlement: true,
  settled: false,
};
const underWay = (Object.keys(isUnderWay) as PlanStatus[]).filter((status) => isUnderWay[status]);

/** The most that the server returns at once. */
const most = '100';

/** The plans that hold money or wait for settlement; `more` if there are others. */
function usePlansUnderWay() {
  return useQuery({
    queryKey: ['plans', 'under-way'],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        underWay.map((status) =>
          call('GET', '/plan/order/list', {
            query: { status, limit: most },
            signal,
            inline: ['network'],
          }),
        ),
      );
      return {
        plans: pages.flatMap(({ items }) => items),
        more: pages.some((page) => page.next_cursor !== null),
      };
    },
  });
}
