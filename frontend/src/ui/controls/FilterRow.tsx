import { useId, useRef } from 'react';
import { classNames } from '@/ui/class-names';
import styles from './FilterRow.module.css';
import { useChosenInView } from './use-chosen-in-view';

type Props<V extends string> = {
  /** The name of the choice; only screen readers have it. */
  legend: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
  /**
   * Whether, on a phone, the row is one line to the edges of its card that scrolls: for more than a
   * few options.
   */
  scrolls?: boolean;
};

/** Filters a list by one of a few words in a row. */
export function FilterRow<V extends string>(props: Props<V>) {
  const { legend, options, value, onChange, scrolls = false } = props;
  const name = useId();
  const row = useRef<HTMLDivElement>(null);
  const chosen = scrolls ? options.findIndex((option) => option.value === value) : 0;
  useChosenInView(row, chosen, options.map(({ label }) => label).join());
  return (
    <fieldset>
      <legend className="visually-hidden">{legend}</legend>
      <div ref={row} className={classNames(styles.filters, scrolls && styles.scrolls)}>
        {options.map((option) => (
          <label
            key={option.value}
            className={classNames(styles.filter, option.value === value && styles.chosen)}
          >
            <input
              type="radio"
              className="ring-only"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
