import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { Property } from '@/api/types';
import { decimalsOf, formatMoney } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { AmountField } from '@/ui/money/AmountField';
import { TooDear } from './PutNotices';
import { quickAmounts } from './put-check';
import styles from './QuickAmounts.module.css';

type Props = {
  field: Pick<ComponentProps<typeof AmountField>, 'value' | 'onChange'>;
  min: string;
  max: string;
  property: Property | undefined;
  tooDear: boolean;
};

/** How much is put, and how much can be. */
export function BudgetField({ field, min, max, property, tooDear }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <AmountField
        label={t('plans.amount')}
        {...field}
        hint={
          <>
            {t('plans.limits', { min: formatMoney(min), max: formatMoney(max) })}
            {property && (
              <>
                <br />
                {t('plans.available', { amount: formatMoney(property.available) })}
              </>
            )}
          </>
        }
      />
      <QuickAmounts min={min} max={max} value={field.value} onChange={field.onChange} />
      {tooDear && <TooDear />}
    </>
  );
}

type QuickAmountsProps = {
  min: string;
  max: string;
  value: string;
  onChange: (amount: string) => void;
};

/** A few round amounts, each one press away. */
function QuickAmounts({ min, max, value, onChange }: QuickAmountsProps) {
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
