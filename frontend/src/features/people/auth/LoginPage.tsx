import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { session } from '@/api/session';
import { currentLanguage } from '@/i18n/texts';
import { useSubmit } from '@/shared/forms/use-submit';
import { Button } from '@/ui/controls/Button';
import { Link } from '@/ui/controls/Link';
import { PasswordField } from '@/ui/form/PasswordField';
import { TextField } from '@/ui/form/TextField';
import { AuthPage } from './AuthPage';
import styles from './AuthPage.module.css';
import { checkLogin, type Errors, type LoginValues } from './auth.schema';

export function LoginPage() {
  const { t } = useTranslation();
  const [values, setValues] = useState<LoginValues>({ username: '', password: '' });
  const [errors, setErrors] = useState<Errors<keyof LoginValues>>({});
  const { busy, fields, setFields, submit } = useSubmit(async () => {
    const body = { ...values, username: values.username.trim(), lang: currentLanguage() };
    // Once signed in, the layout redirects from here.
    session.signIn(await call('POST', '/auth/v2/login', { body, inline: ['fields'] }));
  });

  const send = (event: FormEvent) => {
    event.preventDefault();
    const found = checkLogin(values);
    setErrors(found);
    setFields({});
    if (Object.keys(found).length === 0) void submit();
  };
  const field = (name: keyof LoginValues) => ({
    name,
    value: values[name],
    error: errors[name] ? t(errors[name]) : fields[name],
    onChange: (value: string) => {
      setValues({ ...values, [name]: value });
      setErrors({ ...errors, [name]: undefined });
    },
  });

  return (
    <AuthPage title={t('auth.loginTitle')} text={t('auth.loginText')}>
      <form className={styles.form} onSubmit={send} noValidate>
        <TextField {...field('username')} label={t('auth.username')} autoComplete="username" />
        <PasswordField
          {...field('password')}
          label={t('auth.password')}
          autoComplete="current-password"
        />
        <div className={styles.action}>
          <Button type="submit" loading={busy}>
            {t('auth.login')}
          </Button>
        </div>
      </form>
      <p className={styles.other}>
        <Link to="/reset-password">{t('auth.forgot')}</Link>
      </p>
      <p className={styles.more}>
        {t('auth.noAccount')}
        <Link to="/register">{t('auth.toRegister')}</Link>
      </p>
    </AuthPage>
  );
}
