import { useState } from 'react';
import { ChoiceSheet } from '@/ui/layers/ChoiceSheet';
import { ChoiceField } from './ChoiceField';
import type { FieldProps } from './Field';

type Props<V extends string> = FieldProps & {
  /** One without a value says what to do, and cannot be taken. */
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
  id?: string;
};

/** A choice among a few, taken by one press. */
export function SelectField<V extends string>({ options, value, onChange, ...field }: Props<V>) {
  const [open, setOpen] = useState(false);
  const shown = options.find((option) => option.value === value)?.label ?? '';
  return (
    <ChoiceField {...field} shown={shown} onOpen={() => setOpen(true)}>
      <ChoiceSheet
        open={open}
        title={field.label}
        options={options.filter((option) => option.value !== '')}
        value={value}
        onChoose={onChange}
        onClose={() => setOpen(false)}
      />
    </ChoiceField>
  );
}
