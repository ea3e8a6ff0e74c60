import { useEffect, useId, useRef } from 'react';
import VantPicker from 'react-vant/es/picker/Picker.js';
import { PICKER_OPTION_HEIGHT, PICKER_SWIPE_MS, PICKER_VISIBLE_OPTIONS } from '@/ui/constants';
import styles from './Picker.module.css';

type Props<V extends string> = {
  label: string;
  options: readonly { value: V; text: string }[];
  value: V;
  onChange: (value: V) => void;
};

/**
 * A choice on a wheel. react-vant's wheel responds to touch only, so hidden radio buttons hold the
 * choice for the keyboard and for screen readers; the wheel follows them.
 */
export function Picker<V extends string>({ label, options, value, onChange }: Props<V>) {
  const name = useId();
  const wheel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Its rows would be stops of the Tab key that no screen reader can name.
    for (const row of wheel.current?.querySelectorAll('[tabindex]') ?? []) {
      row.setAttribute('tabindex', '-1');
    }
  });
  return (
    <div className={styles.picker}>
      <fieldset className="visually-hidden">
        <legend>{label}</legend>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.text}
          </label>
        ))}
      </fieldset>
      <div ref={wheel} aria-hidden="true" data-may-be-cut="the wheel turns">
        <VantPicker
          columns={options.map(({ value: key, text }) => ({ value: key, text }))}
          value={value}
          onChange={(next: string) => onChange(next as V)}
          placeholder={false}
          showToolbar={false}
          itemHeight={PICKER_OPTION_HEIGHT}
          visibleItemCount={PICKER_VISIBLE_OPTIONS}
          swipeDuration={PICKER_SWIPE_MS}
        />
      </div>
    </div>
  );
}
