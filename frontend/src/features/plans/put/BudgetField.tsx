import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { Property } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { AmountField } from '@/ui/money/AmountField';
import { TooDear } from './PutNotices';
import { QuickAmounts } from './QuickAmounts';

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
