import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '@/ui/form/TextField';

type Props = {
  field: (name: 'email' | 'phone') => Pick<ComponentProps<typeof TextField>, 'value' | 'onChange'>;
};

/** The fields for reaching somebody. */
export function ContactFields({ field }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <TextField {...field('email')} label={t('auth.email')} type="email" autoComplete="email" />
      <TextField
        {...field('phone')}
        label={t('auth.phone')}
        hint={t('auth.phoneHint')}
        type="tel"
        autoComplete="tel"
      />
    </>
  );
}
