import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Currency, Property } from '@/api/types';
import { AmountText } from '@/ui/AmountText';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { isPositive, toPlot } from '@/ui/decimal';
import { StackedBar, StackedDot } from '@/ui/StackedBar';
import styles from './AssetsCard.module.css';
import { AssetsSheet } from './AssetsSheet';
import { assetParts } from './asset-parts';

type Props = { property: Property; currency: Currency; hidden: boolean };

/** What the total is made of; promotional credit stands apart, since it is no part of it. */
export function AssetsCard({ property, currency, hidden }: Props) {
  const { t } = useTranslation();
  const [explaining, setExplaining] = useState(false);
  const all = [
    { key: 'available', amount: property.available, always: true },
    ...assetParts(property),
  ] as const;
  const parts = all.map((part, tone) => ({ ...part, tone, value: toPlot(part.amount) }));
  const shown = parts.filter(({ amount, always }) => always || isPositive(amount));
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
      <dl className={styles.parts}>
        {shown.map(({ key, amount, tone }) => (
          <div key={key} className={styles.part}>
            <dt>
              <StackedDot tone={tone} />
              {t(`wallet.${key}`)}
            </dt>
            <dd>
              <AmountText amount={amount} currency={currency} hidden={hidden} />
            </dd>
          </div>
        ))}
      </dl>
      {isPositive(property.promotional) && (
        <dl className={styles.beside}>
          <div className={styles.promotional}>
            <dt>
              {t('wallet.promotional')}
              <span className={styles.hint}>{t('wallet.promotionalHint')}</span>
            </dt>
            <dd>
              <AmountText amount={property.promotional} currency={currency} hidden={hidden} />
            </dd>
          </div>
        </dl>
      )}
      <AssetsSheet
        property={property}
        currency={currency}
        hidden={hidden}
        open={explaining}
        onClose={() => setExplaining(false)}
      />
    </Card>
  );
}
