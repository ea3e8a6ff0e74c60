import { useTranslation } from 'react-i18next';
import { formatMonth } from '@/i18n/format';
import { PICKER_VISIBLE_OPTIONS } from '@/ui/constants';
import { PickerField } from '@/ui/form/PickerField';
import { SelectField } from '@/ui/form/SelectField';

type Props = {
  months: readonly string[];
  value: string;
  onChange: (month: string) => void;
  /** The name of an empty value, if there is one. */
  all?: string;
};

/** A month: on a wheel, since they have an order, unless all of them fit in a sheet. */
export function MonthField({ months, value, onChange, all }: Props) {
  const { t } = useTranslation();
  const options = months.map((month) => ({ value: month, text: formatMonth(month) }));
  if (all !== undefined) options.unshift({ value: '', text: all });
  const field = { label: t('wallet.month'), value, onChange };
  if (options.length > PICKER_VISIBLE_OPTIONS) return <PickerField {...field} options={options} />;
  const short = options.map(({ value: month, text }) => ({ value: month, label: text }));
  return <SelectField {...field} options={short} />;
}
