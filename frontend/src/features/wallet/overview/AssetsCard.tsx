import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Property } from '@/api/types';
import { TermHelp } from '@/shared/terms/TermHelp';
import { TermHint } from '@/shared/terms/TermHint';
import { StackedBar } from '@/ui/charts/StackedBar';
import { sharesOf } from '@/ui/charts/shares';
import { usePoints } from '@/ui/charts/use-points';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { AmountText } from '@/ui/money/AmountText';
import { isPositive, toMinor, toPlot } from '@/ui/money/decimal';
import styles from './AssetsCard.module.css';
import { AssetsSheet } from './AssetsSheet';
import { assetParts } from './asset-parts';
import { PartRow } from './PartRow';

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
              share={shares[at] ?? '0'}
              tone={tone}
              hidden={hidden}
              point={pointProps(at)}
            />
          ))}
        </tbody>
      </table>
      {isPositive(property.unbilled) && (
        <dl className={styles.beside}>
          <div className={styles.promotional}>
            <dt>
              {t('wallet.unbilled')}
              <span className={styles.hint}>{t('wallet.unbilledHint')}</span>
            </dt>
            <dd className={styles.credit}>
              <AmountText amount={property.unbilled} hidden={hidden} />
            </dd>
          </div>
        </dl>
      )}
      {isPositive(property.settlement_fees) && (
        <dl className={styles.beside}>
          <div className={styles.promotional}>
            <dt>
              {t('wallet.feesDue')}
              <span className={styles.hint}>{t('wallet.feesDueHint')}</span>
            </dt>
            <dd className={styles.credit}>
              <AmountText amount={`-${property.settlement_fees}`} hidden={hidden} />
              <TermHelp term="feesDue" amount={property.settlement_fees} hidden={hidden} />
            </dd>
          </div>
        </dl>
      )}
      {isPositive(property.promotional) && (
        <dl className={styles.beside}>
          <div className={styles.promotional}>
            <dt>
              {t('wallet.promotional')}
              <span className={styles.hint}>{t('wallet.promotionalHint')}</span>
            </dt>
            <dd className={styles.credit}>
              <AmountText amount={property.promotional} hidden={hidden} />
              <TermHelp term="promotional" amount={property.promotional} hidden={hidden} />
            </dd>
          </div>
        </dl>
      )}
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
