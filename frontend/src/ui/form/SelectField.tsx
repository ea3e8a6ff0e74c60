import { Icon } from '@/ui/display/Icon';
import { Field, type FieldProps } from './Field';
import styles from './Field.module.css';

type Props<V extends string> = FieldProps & {
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
  id?: string;
  name?: string;
};

/** A choice among a few. The device's own picker serves every finger, key and screen reader. */
export function SelectField<V extends string>({
  label,
  error,
  hint,
  id,
  options,
  onChange,
  ...select
}: Props<V>) {
  const choose = (value: string) => {
    const option = options.find((one) => one.value === value);
    if (option) onChange(option.value);
  };
  return (
    <Field label={label} error={error} hint={hint} id={id} after={<Icon name="down" size={18} />}>
      {(described) => (
        <select
          {...select}
          {...described}
          className={styles.input}
          onChange={(event) => choose(event.target.value)}
        >
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
