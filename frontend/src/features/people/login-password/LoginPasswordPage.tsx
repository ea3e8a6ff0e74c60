import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import type { Refusal, Shown } from '@/api/contract/refusal';
import { ApiError } from '@/api/errors';
import { session } from '@/api/session';
import { useUser } from '@/api/user';
import { useSubmit } from '@/shared/forms/use-submit';
import { replacePage } from '@/shared/navigation/navigation';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { PasswordField } from '@/ui/form/PasswordField';
import { PasswordRules } from '../auth/PasswordRules';
import styles from '../me/MePage.module.css';
import formStyles from '../profile/ProfileForm.module.css';
import {
  checkPasswords,
  type PasswordField as Name,
  noPasswords,
  type PasswordErrors,
  passwordFields,
  refusedAt,
} from './login-password.schema';

/** Long enough to be read on the next page. */
const toastMs = 5000;

export function LoginPasswordPage() {
  const { t } = useTranslation();
  const user = useUser();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(noPasswords);
  const [errors, setErrors] = useState<PasswordErrors>({});
  const { busy, fields, setFields, submit } = useSubmit(async () => {
    try {
      const inline: Shown[] = ['fields', ...(Object.keys(refusedAt) as Refusal[])];
      await call('POST', '/update/password', { body: values, inline });
    } catch (error) {
      const at = error instanceof ApiError ? refusedAt[error.error] : undefined;
      if (at && error instanceof ApiError) {
        setFields({ [at]: error.msg });
        focus(at);
      }
      throw error;
    }
    // All sessions have ended, including this one.
    session.clear();
    replacePage('/login');
    showToast(t('me.password.changed'), 'success', toastMs);
  });

  const focus = (name: Name) =>
    form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
  const send = (event: FormEvent) => {
    event.preventDefault();
    const found = checkPasswords(values);
    setErrors(found);
    setFields({});
    const first = passwordFields.find((name) => found[name]);
    if (first) focus(first);
    else void submit();
  };
  const field = (name: Name) => ({
    name,
    value: values[name],
    error: errors[name] ? t(errors[name]) : fields[name],
    label: t(`me.password.${name}`),
    onChange: (value: string) => {
      setValues({ ...values, [name]: value });
      setErrors({ ...errors, [name]: undefined });
      setFields({ ...fields, [name]: '' });
    },
  });
  return (
    <div className={styles.page}>
      <Card>
        <form ref={form} className={formStyles.form} onSubmit={send} noValidate>
          <PasswordField {...field('old_password')} autoComplete="current-password" />
          <PasswordField
            {...field('new_password')}
            hint={<PasswordRules password={values.new_password} username={user?.username ?? ''} />}
            autoComplete="new-password"
          />
          <PasswordField {...field('confirm_password')} autoComplete="new-password" />
          <Notice>{t('me.password.everywhere')}</Notice>
          {user?.entry === 'app' && <Notice>{t('me.password.noPassword')}</Notice>}
          <Button type="submit" loading={busy}>
            {t('me.password.save')}
          </Button>
        </form>
      </Card>
    </div>
  );
}
