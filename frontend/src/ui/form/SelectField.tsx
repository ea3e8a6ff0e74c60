import { useState } from 'react';
import { ChoiceSheet } from '@/ui/layers/ChoiceSheet';
import { ChoiceField } from './ChoiceField';
import type { FieldProps } from './Field';

type Props<V extends string> = FieldProps & {
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
  /** The text while nothing is chosen. */
  placeholder?: string;
};

/** A choice among a few, taken by one press. */
export function SelectField<V extends string>(props: Props<V>) {
  const { options, value, onChange, placeholder = '', ...field } = props;
  const [open, setOpen] = useState(false);
  const shown = options.find((option) => option.value === value)?.label ?? placeholder;
  return (
    <ChoiceField {...field} shown={shown} onOpen={() => setOpen(true)}>
      <ChoiceSheet
        open={open}
        title={field.label}
        options={options}
        value={value}
        onChoose={onChange}
        onClose={() => setOpen(false)}
      />
    </ChoiceField>
  );
}
