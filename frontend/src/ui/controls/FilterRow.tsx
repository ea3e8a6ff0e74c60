import { useId } from 'react';
import styles from './FilterRow.module.css';

type Props<V extends string> = {
  /** What is chosen from; it is read aloud alone. */
  legend: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
};

/** What of a list is shown: one of a few words in a row. */
export function FilterRow<V extends string>({ legend, options, value, onChange }: Props<V>) {
  const name = useId();
  return (
    <fieldset className={styles.filters}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.filter}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
