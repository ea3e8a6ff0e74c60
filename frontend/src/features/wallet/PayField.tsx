import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { AmountField } from '@/ui/money/AmountField';
import { AvailableHint } from '@/ui/money/AvailableHint';

type Props = {
  field: Pick<ComponentProps<typeof AmountField>, 'value' | 'onChange'>;
  /** How much there is, and what takes all that can be taken. */
  text: string;
  take: string;
  most: string;
};

/** An amount of what there is. */
export function PayField({ field, text, take, most }: Props) {
  const { t } = useTranslation();
  return (
    <AmountField
      label={t('wallet.withdrawAmount')}
      {...field}
      hint={<AvailableHint text={text} take={take} amount={most} onTake={field.onChange} />}
    />
  );
}
