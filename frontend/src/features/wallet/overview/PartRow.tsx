import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatMoney, formatPercent } from '@/i18n/format';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { OnDemand } from '@/shared/page/OnDemand';
import { loadTermSheet, TermHelp } from '@/shared/terms/TermHelp';
import { type Term, wayBehind } from '@/shared/terms/terms';
import { StackedDot } from '@/ui/charts/StackedBar';
import type { usePoints } from '@/ui/charts/use-points';
import { Icon } from '@/ui/display/Icon';
import { AmountText } from '@/ui/money/AmountText';
import styles from './AssetsCard.module.css';

type Props = {
  term: Exclude<Term, 'consumed' | 'feesDue' | 'promotional'>;
  amount: string;
  /** The share of the total, such as `0.25`. */
  share: string;
  tone: number;
  hidden: boolean;
  point: ReturnType<ReturnType<typeof usePoints>['pointProps']>;
};

/** One part of the total. It opens the plans, the lines or the page that it is the sum of. */
export function PartRow({ term, amount, share, tone, hidden, point }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [byPlan, setByPlan] = useState(false);
  const name = t(`wallet.${term}`);
  // There is no page of what plans hold or wait for: the sheet lists it.
  const summed = term === 'toBeConsumed' || term === 'toBeSettled';
  const close = () => setByPlan(false);
  const open = () => (summed ? setByPlan(true) : navigate(wayBehind(term).to));
  const help = { term, amount, hidden };
  return (
    <tr className={styles.part}>
      <th scope="row">
        <span className={styles.name}>
          <StackedDot tone={tone} />
          {name}
          <TermHelp {...help} />
        </span>
        <span className={styles.about}>{t(`wallet.short.${term}`)}</span>
      </th>
      <td className={styles.amount}>
        <button
          type="button"
          className={styles.open}
          aria-label={hidden ? name : `${formatMoney(amount)}, ${name}`}
          aria-haspopup={summed ? 'dialog' : undefined}
          onClick={open}
          {...point}
        >
          <AmountText amount={amount} hidden={hidden} />
          <Icon name="chevron" size={16} />
        </button>
        {byPlan && (
          <OnDemand load={loadTermSheet} onMissing={close} props={{ ...help, onClose: close }} />
        )}
      </td>
      <td className={styles.share}>{!hidden && formatPercent(share)}</td>
    </tr>
  );
}
