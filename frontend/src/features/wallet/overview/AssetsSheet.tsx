import { useTranslation } from 'react-i18next';
import type { Property } from '@/api/types';
import { Sheet } from '@/ui/layers/Sheet';
import { AmountText } from '@/ui/money/AmountText';
import { isPositive, subtractDecimals } from '@/ui/money/decimal';
import styles from './AssetsSheet.module.css';
import { assetParts } from './asset-parts';

type Props = { property: Property; hidden: boolean; open: boolean; onClose: () => void };

/** Each figure of the wallet, explained in a sentence, as a sum that can be checked. */
export function AssetsSheet({ property, hidden, open, onClose }: Props) {
  const { t } = useTranslation();
  const amount = (value: string) => <AmountText amount={value} hidden={hidden} />;
  return (
    <Sheet open={open} onClose={onClose} title={t('wallet.partsTitle')}>
      <dl className={styles.sum}>
        <Part
          name={t('wallet.available')}
          text={t('wallet.about.available')}
          amount={amount(property.available)}
        />
        {assetParts(property).map(({ key, amount: value }) => (
          <Part
            key={key}
            name={t(`wallet.${key}`)}
            text={t(`wallet.about.${key}`)}
            amount={amount(value)}
          />
        ))}
        <div className={styles.total}>
          <dt>{t('wallet.totalAssets')}</dt>
          <dd>{amount(property.total_assets)}</dd>
        </div>
        {isPositive(property.settlement_fees) && (
          <>
            <Part
              name={t('wallet.feesDue')}
              text={t('wallet.about.feesDue')}
              amount={amount(`-${property.settlement_fees}`)}
            />
            <Part
              name={t('wallet.afterFees')}
              text={t('wallet.about.afterFees')}
              amount={amount(subtractDecimals(property.total_assets, property.settlement_fees))}
            />
          </>
        )}
        <Part
          name={t('wallet.promotional')}
          text={t('wallet.about.promotional')}
          amount={amount(property.promotional)}
        />
      </dl>
    </Sheet>
  );
}

type PartProps = { name: string; text: string; amount: React.ReactNode };

function Part({ name, text, amount }: PartProps) {
  return (
    <div className={styles.part}>
      <dt>{name}</dt>
      <dd>{amount}</dd>
      <dd className={styles.text}>{text}</dd>
    </div>
  );
}
