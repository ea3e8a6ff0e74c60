import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '@/ui/form/TextField';

type Props = ComponentProps<typeof TextField> & { type: 'date' | 'datetime-local' };

/**
 * A day, or a day and its time. One that is typed by half has no value, and looks like none to the
 * form, so the field says so when it is left, and `useForm` sends nothing.
 */
export function MomentField({ error, onChange, onBlur, ...props }: Props) {
  const { t } = useTranslation();
  const [half, setHalf] = useState(false);
  return (
    <TextField
      {...props}
      error={half ? t('ui.momentIncomplete') : error}
      onChange={(typed) => {
        setHalf(false);
        onChange(typed);
      }}
      onBlur={(event) => {
        setHalf(event.target.validity.badInput);
        onBlur?.(event);
      }}
    />
  );
}
