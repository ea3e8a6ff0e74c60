import { useTranslation } from 'react-i18next';
import { decimalsOf, formatMoney } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { quickAmounts } from './put-check';
import styles from './QuickAmounts.module.css';

type Props = {
  min: string;
  max: string;
  value: string;
  onChange: (amount: string) => void;
};

/** A few round amounts, each one press away. */
export function QuickAmounts({ min, max, value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame and a legend.
    <div className={styles.quick} role="group" aria-label={t('plans.quick')}>
      {quickAmounts(min, max).map((quick) => (
        <Button
          key={quick}
          size="small"
          variant="secondary"
          aria-pressed={quick === value}
          onClick={() => onChange(quick)}
        >
          {formatMoney(quick, { places: decimalsOf(quick) })}
        </Button>
      ))}
    </div>
  );
}
