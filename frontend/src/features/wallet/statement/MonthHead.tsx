import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { FlowMonth } from '@/api/types';
import { formatMoney, formatMonth } from '@/i18n/format';
import { Divider } from '@/ui/display/Divider';
import { Parts } from '@/ui/display/Parts';
import { isPositive } from '@/ui/money/decimal';
import styles from './FundingDetail.module.css';

type Props = { month: string; sums: FlowMonth | undefined; first: boolean };

/** The heading of a month in the list, with what it brought and took without refunds. */
export function MonthHead({ month, sums, first }: Props) {
  const { t } = useTranslation();
  return (
    <>
      {!first && <Divider />}
      <div className={styles.month}>
        <h3>{formatMonth(month)}</h3>
        {sums && (
          <p>
            <Parts parts={partsOf(sums, t)} />
          </p>
        )}
      </div>
    </>
  );
}

function partsOf(sums: FlowMonth, t: TFunction): string[] {
  const net = t('wallet.chartMonth', {
    income: formatMoney(sums.net_income),
    expense: formatMoney(sums.net_expense),
  });
  if (!isPositive(sums.refunds)) return [net];
  return [net, t('wallet.refunds', { amount: formatMoney(sums.refunds) })];
}
