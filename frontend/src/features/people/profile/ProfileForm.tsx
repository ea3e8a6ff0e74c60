import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import type { User } from '@/api/types';
import { useKnownConfig } from '@/shared/config/known-config';
import { useSubmit } from '@/shared/forms/use-submit';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { showToast } from '@/ui/feedback/toast-store';
import { TextField } from '@/ui/form/TextField';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import { useSaveProfile } from '../me/mutations';
import styles from './ProfileForm.module.css';
import {
  changesOf,
  checkProfile,
  type ProfileErrors,
  type ProfileField,
  profileFields,
  valuesOf,
} from './profile.schema';

export function ProfileForm({ user }: { user: User }) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(() => valuesOf(user));
  const [errors, setErrors] = useState<ProfileErrors>({});
  const save = useSaveProfile();
  const changes = changesOf(values, user);
  const [asking, setAsking] = useState(false);
  const simulated = useKnownConfig()?.data_source === 'simulated';
  const send = async (password?: string) => {
    await save({ ...changes, ...(password && { password }) });
    showToast(t('me.saved'), 'success');
  };
  const { busy, fields, setFields, submit } = useSubmit(async () => {
    const found = checkProfile(changes);
    setErrors(found);
    const first = profileFields.find((name) => found[name]);
    if (first) return form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    try {
      await send();
    } catch (error) {
      // The server knows whether a transaction password is set, and asks for it last.
      if (!needsPassword(error)) throw error;
      setAsking(true);
    }
  });

  const press = (event: FormEvent) => {
    event.preventDefault();
    setFields({});
    void submit();
  };
  const field = (name: ProfileField) => ({
    name,
    value: values[name],
    error: errors[name] ? t(errors[name]) : fields[name],
    onChange: (value: string) => {
      setValues({ ...values, [name]: value });
      setErrors({ ...errors, [name]: undefined });
      setFields({ ...fields, [name]: '' });
    },
  });
  return (
    <Card>
      <form ref={form} className={styles.form} onSubmit={press} noValidate>
        <TextField
          {...field('nickname')}
          label={t('me.nickname')}
          hint={t('me.nicknameHint')}
          autoComplete="nickname"
        />
        <TextField {...field('email')} label={t('auth.email')} type="email" autoComplete="email" />
        <TextField
          {...field('phone')}
          label={t('auth.phone')}
          hint={t('auth.phoneHint')}
          type="tel"
          autoComplete="tel"
        />
        <Button type="submit" loading={busy} disabled={Object.keys(changes).length === 0}>
          {t('me.save')}
        </Button>
      </form>
      <TransactionPasswordDialog open={asking} onClose={() => setAsking(false)} onConfirm={send}>
        <Facts
          facts={[
            { label: t('auth.email'), value: changes.email },
            { label: t('auth.phone'), value: changes.phone },
          ].flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }]))}
        />
        {/* A simulated installation has no waiting period. */}
        {!simulated && <p className={styles.hold}>{t('wallet.rebindHold')}</p>}
      </TransactionPasswordDialog>
    </Card>
  );
}

function needsPassword(error: unknown): boolean {
  return error instanceof ApiError && error.fields.password === 'required';
}
