import { useTranslation } from 'react-i18next';
import type { Currency } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { quickAmounts } from './put/put-check';
import styles from './QuickAmounts.module.css';

type Props = {
  min: string;
  max: string;
  value: string;
  onChange: (amount: string) => void;
  currency: Currency;
};

/** A few round amounts, each one press away. */
export function QuickAmounts({ min, max, value, onChange, currency }: Props) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame and a legend.
    <div className={styles.quick} role="group" aria-label={t('plans.quick')}>
      {quickAmounts(min, max, currency.decimals).map((quick) => (
        <Button
          key={quick}
          size="small"
          variant="secondary"
          aria-pressed={quick === value}
          onClick={() => onChange(quick)}
        >
          {formatMoney(quick, {
            ...currency,
            decimals: quick.includes('.') ? currency.decimals : 0,
          })}
        </Button>
      ))}
    </div>
  );
}
