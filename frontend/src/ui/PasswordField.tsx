import { useState } from 'react';
import { Icon } from './Icon';
import styles from './PasswordField.module.css';
import { TextField, type TextFieldProps } from './TextField';

type Props = Omit<TextFieldProps, 'type' | 'trailing'> & { showLabel: string; hideLabel: string };

/** Showing what was typed prevents more failed logins than hiding it prevents onlookers. */
export function PasswordField({ showLabel, hideLabel, ...field }: Props) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      {...field}
      type={shown ? 'text' : 'password'}
      trailing={
        <button
          type="button"
          className={styles.toggle}
          aria-label={shown ? hideLabel : showLabel}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eyeOff' : 'eye'} size={22} />
        </button>
      }
    />
  );
}
