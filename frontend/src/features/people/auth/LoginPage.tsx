import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { session } from '@/api/session';
import { currentLanguage } from '@/i18n/texts';
import { Form } from '@/shared/forms/Form';
import { useForm } from '@/shared/forms/use-form';
import { Link } from '@/ui/controls/Link';
import { PasswordField } from '@/ui/form/PasswordField';
import { TextField } from '@/ui/form/TextField';
import { AuthPage } from './AuthPage';
import styles from './AuthPage.module.css';
import { empty } from './auth.schema';

export function LoginPage() {
  const { t } = useTranslation();
  const state = useState({ username: '', password: '' });
  const [values] = state;
  const form = useForm({
    state,
    problems: empty(values),
    send: async () => {
      const body = { ...values, username: values.username.trim(), lang: currentLanguage() };
      // Once signed in, the layout redirects from here.
      session.signIn(await call('POST', '/auth/v2/login', { body, inline: ['fields'] }));
    },
  });

  return (
    <AuthPage title={t('auth.loginTitle')} text={t('auth.loginText')}>
      <Form {...form.props} className={styles.form} submit={t('auth.login')}>
        <TextField
          {...form.field('username')}
          label={t('auth.username')}
          autoComplete="username"
          autoCapitalize="none"
        />
        <PasswordField
          {...form.field('password')}
          label={t('auth.password')}
          autoComplete="current-password"
        />
      </Form>
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
