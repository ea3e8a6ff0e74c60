import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/ui/display/Icon';
import type { FieldProps } from './Field';
import styles from './Field.module.css';
import { TextField } from './TextField';

type Props = FieldProps & {
  value: string;
  onChange: (value: string) => void;
  autoComplete: 'current-password' | 'new-password';
  id?: string;
  name?: string;
  required?: boolean;
  disabled?: boolean;
};

/** An account password, with an eye that shows what was typed. */
export function PasswordField(props: Props) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      after={
        <button
          type="button"
          className={styles.tool}
          aria-label={t('ui.showPassword')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eye-off' : 'eye'} size={22} />
        </button>
      }
    />
  );
}
