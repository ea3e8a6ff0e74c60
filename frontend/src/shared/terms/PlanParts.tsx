import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import type { PlanStatus } from '@/api/types';
import { formatDate, formatMoney } from '@/i18n/format';
import { planPath } from '@/pages';
import { Link } from '@/ui/controls/Link';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { compareDecimals } from '@/ui/money/decimal';
import styles from './PlanParts.module.css';
import { nextSettlement, type PlanTerm, planParts, sumOf } from './plan-parts';

type Props = { term: PlanTerm; amount: string; hidden: boolean };

/** The plans that a figure is the sum of, each with a link, and when it becomes available. */
export function PlanParts({ term, amount, hidden }: Props) {
  const { t } = useTranslation();
  const underWay = usePlansUnderWay();
  const { data } = underWay;
  if (!data) return <Unanswered of={underWay} meanwhile={<CardSkeleton lines={2} />} />;
  const parts = planParts(data.plans, term);
  const sum = sumOf(parts);
  // Figures change while they are read: a sum that differs from the figure would only confuse.
  const agrees = compareDecimals(sum, amount) === 0;
  // What a plan holds is computed here, and shown only if the wallet confirms it.
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

const underWay: readonly PlanStatus[] = [
  'matching',
  'putting',
  'put_finished',
  'waiting_settlement',
];
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
