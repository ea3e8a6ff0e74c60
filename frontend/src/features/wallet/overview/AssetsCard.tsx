import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Property } from '@/api/types';
import { formatMoney, formatPart } from '@/i18n/format';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { OnDemand } from '@/shared/page/OnDemand';
import { billedBy } from '@/shared/terms/billed-by';
import { dismissHint, useHint } from '@/shared/terms/hint';
import { loadTermSheet, TermHelp } from '@/shared/terms/TermHelp';
import { type Term, wayBehind } from '@/shared/terms/terms';
import { StackedBar, StackedDot } from '@/ui/charts/StackedBar';
import { sharesOf } from '@/ui/charts/shares';
import { usePoints } from '@/ui/charts/use-points';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Icon } from '@/ui/display/Icon';
import { Notice } from '@/ui/feedback/Notice';
import { AmountText } from '@/ui/money/AmountText';
import { isPositive, toMinor, toPlot } from '@/ui/money/decimal';
import styles from './AssetsCard.module.css';
import { AssetsSheet } from './AssetsSheet';
import { assetParts } from './asset-parts';

type Props = { property: Property; hidden: boolean };

/** The parts of the total. Promotional credit is separate, because it is not part of it. */
export function AssetsCard({ property, hidden }: Props) {
  const { t } = useTranslation();
  const [explaining, setExplaining] = useState(false);
  const all = [
    { key: 'available', amount: property.available, always: true },
    ...assetParts(property),
  ] as const;
  const parts = all.map((part, tone) => ({ ...part, tone, value: toPlot(part.amount) }));
  const shown = parts.filter(({ amount, always }) => always || isPositive(amount));
  const { onKeyDown, pointProps } = usePoints('down', shown.length, 0);
  const shares = sharesOf(shown.map(({ amount }) => toMinor(amount) ?? 0n));
  const some = shown.some(({ amount }) => isPositive(amount));
  return (
    <Card
      title={t('wallet.parts')}
      aside={
        <Button size="small" variant="quiet" icon="question" onClick={() => setExplaining(true)}>
          {t('wallet.explain')}
        </Button>
      }
    >
      {!hidden && <StackedBar parts={parts} />}
      <table className={styles.parts}>
        <caption className="visually-hidden">{t('wallet.parts')}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t('wallet.part')}</th>
            <th scope="col">{t('wallet.withdrawAmount')}</th>
            <th scope="col">{t('wallet.share')}</th>
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {shown.map(({ key, amount, tone }, at) => (
            <PartRow
              key={key}
              term={key}
              amount={amount}
              share={some ? (shares[at] ?? '0') : null}
              tone={tone}
              hidden={hidden}
              point={pointProps(at)}
            />
          ))}
        </tbody>
      </table>
      <Beside name="unbilled" amount={property.unbilled} hidden={hidden} />
      <Beside name="feesDue" amount={property.settlement_fees} owed hidden={hidden} />
      <Beside name="promotional" amount={property.promotional} hidden={hidden} />
      <TermHint />
      <AssetsSheet
        property={property}
        hidden={hidden}
        open={explaining}
        onClose={() => setExplaining(false)}
      />
    </Card>
  );
}

type BesideProps = {
  name: 'unbilled' | 'feesDue' | 'promotional';
  amount: string;
  /** Whether the user still has to pay the amount. */
  owed?: boolean;
  hidden: boolean;
};

/** An amount that is not part of the total, if there is any. */
function Beside({ name, amount, owed = false, hidden }: BesideProps) {
  const { t } = useTranslation();
  if (!isPositive(amount)) return null;
  return (
    <dl className={styles.beside}>
      <div className={styles.promotional}>
        <dt>
          {t(`wallet.${name}`)}
          <span className={styles.hint}>{t(`wallet.${name}Hint`, { time: billedBy() })}</span>
        </dt>
        <dd className={styles.credit}>
          <AmountText amount={owed ? `-${amount}` : amount} hidden={hidden} />
          {name !== 'unbilled' && <TermHelp term={name} amount={amount} hidden={hidden} />}
        </dd>
      </div>
    </dl>
  );
}

type PartRowProps = {
  term: Exclude<Term, 'consumed' | 'feesDue' | 'promotional'>;
  amount: string;
  /** The share of the total, such as `0.25`; null of a total of nothing. */
  share: string | null;
  tone: number;
  hidden: boolean;
  point: ReturnType<ReturnType<typeof usePoints>['pointProps']>;
};

/**
 * One part of the total. It opens the plans, the lines or the page with the amounts that it sums.
 */
function PartRow({ term, amount, share, tone, hidden, point }: PartRowProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [byPlan, setByPlan] = useState(false);
  const name = t(`wallet.${term}`);
  // No page lists what plans hold or what waits for settlement, so the sheet does.
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
      <td className={styles.share}>{!hidden && share !== null && formatPart(share)}</td>
    </tr>
  );
}

/** Points out the question marks, once. */
function TermHint() {
  const { t } = useTranslation();
  if (!useHint()) return null;
  const close = () => {
    dismissHint();
    // The focus would be lost with the button, so it moves to what the hint was about.
    document.querySelector<HTMLElement>('[data-term]')?.focus();
  };
  return (
    <Notice
      action={
        <div className={styles.action}>
          <Button size="small" variant="quiet" onClick={close}>
            {t('terms.understood')}
          </Button>
        </div>
      }
    >
      {t('terms.hint')}
    </Notice>
  );
}
