import { useId } from 'react';
import VantSwitch from 'react-vant/es/switch/Switch.js';
import { tick } from '@/ui/motion';
import { InertDrawing } from './InertDrawing';
import styles from './SwitchField.module.css';

type Props = {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
};

/** Something that is on or off, with what it does below its name. The whole row can be pressed. */
export function SwitchField({ label, hint, checked, onChange }: Props) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.row} htmlFor={id}>
        <span className={styles.label}>{label}</span>
        <input
          id={id}
          className="visually-hidden"
          type="checkbox"
          role="switch"
          checked={checked}
          aria-checked={checked}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={(event) => {
            tick();
            onChange(event.target.checked);
          }}
        />
        <InertDrawing className={styles.switch}>
          <VantSwitch checked={checked} />
        </InertDrawing>
      </label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
