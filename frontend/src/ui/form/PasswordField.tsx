import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/ui/controls/IconButton';
import type { FieldProps } from './Field';
import styles from './Field.module.css';
import { TextField } from './TextField';

type Props = FieldProps & {
  value: string;
  onChange: (value: string) => void;
  autoComplete: 'current-password' | 'new-password';
  name?: string;
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
        <IconButton
          icon={shown ? 'eye-off' : 'eye'}
          size={22}
          label={t('ui.showPassword')}
          className={styles.tool}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
