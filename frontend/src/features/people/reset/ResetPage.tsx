import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import type { Refusal, Shown } from '@/api/contract/refusal';
import { ApiError } from '@/api/errors';
import { session } from '@/api/session';
import { useSubmit } from '@/shared/forms/use-submit';
import { replacePage } from '@/shared/navigation/navigation';
import { AskService } from '@/shared/service/AskService';
import { Button } from '@/ui/controls/Button';
import { Link } from '@/ui/controls/Link';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { PasswordField } from '@/ui/form/PasswordField';
import { TextField } from '@/ui/form/TextField';
import { AuthPage } from '../auth/AuthPage';
import styles from '../auth/AuthPage.module.css';
import { PasswordRules } from '../auth/PasswordRules';
import {
  checkReset,
  nothing,
  type ResetErrors,
  type ResetField,
  resetBody,
  resetFields,
} from './reset.schema';

/** Long enough to be read on the next page. */
const toastMs = 5000;
const wrongCode: Refusal = 'wrong_reset_code';

/** For who forgot the login password, and was told a code. */
export function ResetPage() {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(nothing);
  const [errors, setErrors] = useState<ResetErrors>({});
  const { busy, fields, setFields, submit } = useSubmit(async () => {
    try {
      const inline: Shown[] = ['fields', wrongCode];
      await call('POST', '/auth/reset', { body: resetBody(values), inline });
    } catch (error) {
      if (error instanceof ApiError && error.error === wrongCode) {
        setFields({ first: error.msg });
        focus('first');
      }
      throw error;
    }
    // All sessions have ended; one on this device too, if somebody is signed in here.
    session.clear();
    replacePage('/login');
    showToast(t('reset.done'), 'success', toastMs);
  });

  const focus = (name: ResetField) =>
    form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
  const send = (event: FormEvent) => {
    event.preventDefault();
    const found = checkReset(values);
    setErrors(found);
    setFields({});
    const wrong = resetFields.find((name) => found[name]);
    if (wrong) focus(wrong);
    else void submit();
  };
  const field = (name: ResetField) => ({
    name,
    value: values[name],
    error: errors[name] ? t(errors[name]) : fields[name],
    onChange: (value: string) => {
      setValues({ ...values, [name]: value });
      setErrors({ ...errors, [name]: undefined });
      setFields({ ...fields, [name]: '' });
    },
  });
  const half = {
    hint: t('reset.halfHint'),
    autoComplete: 'off',
    autoCapitalize: 'characters',
  } as const;

  return (
    <AuthPage title={t('app.title.resetPassword')} text={t('reset.text')}>
      <form ref={form} className={styles.form} onSubmit={send} noValidate>
        <div className={styles.noCode}>
          {t('reset.noCode')}
          <AskService />
        </div>
        <TextField {...field('username')} label={t('auth.username')} autoComplete="username" />
        <TextField {...field('first')} {...half} label={t('reset.first')} />
        <TextField {...field('second')} {...half} label={t('reset.second')} />
        <PasswordField
          {...field('password')}
          autoComplete="new-password"
          label={t('me.password.new_password')}
          hint={<PasswordRules password={values.password} username={values.username} />}
        />
        <PasswordField
          {...field('confirm_password')}
          autoComplete="new-password"
          label={t('me.password.confirm_password')}
        />
        <Notice>{t('reset.everywhere')}</Notice>
        <div className={styles.action}>
          <Button type="submit" loading={busy}>
            {t('reset.save')}
          </Button>
        </div>
      </form>
      <p className={styles.other}>
        {t('reset.remembered')}
        <Link to="/login">{t('auth.toLogin')}</Link>
      </p>
    </AuthPage>
  );
}
