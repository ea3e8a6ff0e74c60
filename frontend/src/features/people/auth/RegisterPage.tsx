import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import type { Refusal } from '@/api/contract/refusal';
import { ApiError, isRefusal } from '@/api/errors';
import { session } from '@/api/session';
import { currentLanguage } from '@/i18n/texts';
import { ContactFields } from '@/shared/forms/ContactFields';
import { emailProblem, phoneProblem } from '@/shared/forms/contact-formats';
import { Form } from '@/shared/forms/Form';
import { useDraft } from '@/shared/forms/use-draft';
import { type Problems, useForm } from '@/shared/forms/use-form';
import { AskService } from '@/shared/service/AskService';
import { Link } from '@/ui/controls/Link';
import { PasswordField } from '@/ui/form/PasswordField';
import { TextField } from '@/ui/form/TextField';
import { AuthPage } from './AuthPage';
import styles from './AuthPage.module.css';
import { empty } from './auth.schema';
import { PasswordRules } from './PasswordRules';
import { passwordProblem } from './password-rules';

const aboutTheCode: Refusal[] = ['authorization_code_not_found', 'authorization_code_used'];

function register(values: RegisterValues) {
  return call('POST', '/auth/v2/register', {
    body: {
      ...values,
      username: values.username.trim(),
      email: values.email.trim(),
      phone: values.phone.trim(),
      license_key: values.license_key.trim(),
      lang: currentLanguage(),
    },
    inline: ['fields', 'user_exists', ...aboutTheCode],
  });
}

const aboutTheName = ['invalid', 'too_short', 'too_long'] as const;

/** The texts for a refusal without fields, and for a name that breaks the rules, which are then said. */
function refusedField(failure: unknown, t: TFunction): Record<string, string> {
  const fields = failure instanceof ApiError ? failure.fields : {};
  const broken = aboutTheName.find((one) => one === fields.username);
  if (broken) return { username: t(`auth.usernameProblem.${broken}`) };
  if (isRefusal(failure, 'user_exists')) {
    return { username: failure.msg || t('app.error.userExists') };
  }
  return isRefusal(failure, ...aboutTheCode) ? { license_key: failure.msg } : {};
}

export function RegisterPage() {
  const { t } = useTranslation();
  const [draft, keep] = useDraft('register', () => nothing);
  // Whoever comes back, from looking for a code or from signing in, types the passwords again.
  const [passwords, setPasswords] = useState(noPasswords);
  const values = { ...draft, ...passwords };
  const change = ({ password, confirm_password, ...rest }: RegisterValues) => {
    setPasswords({ password, confirm_password });
    keep(rest);
  };
  const form = useForm({
    state: [values, change],
    problems: checkRegister(values),
    send: async () => session.signIn(await register(values)),
    refusedAt: (failure) => refusedField(failure, t),
  });
  return (
    <AuthPage title={t('auth.registerTitle')} text={t('auth.registerText')}>
      <Form {...form.props} className={styles.form} submit={t('auth.register')}>
        <TextField
          {...form.field('username')}
          label={t('auth.username')}
          autoComplete="username"
          autoCapitalize="none"
        />
        <PasswordField
          {...form.field('password')}
          autoComplete="new-password"
          label={t('auth.password')}
          hint={<PasswordRules {...values} error={form.field('password').error} />}
        />
        <PasswordField
          {...form.field('confirm_password')}
          autoComplete="new-password"
          label={t('auth.confirmPassword')}
        />
        <ContactFields field={form.field} />
        <TextField
          {...form.field('license_key')}
          label={t('auth.licenseKey')}
          hint={t('auth.licenseKeyHint')}
          autoComplete="off"
          autoCapitalize="characters"
        />
        <div className={styles.noCode}>
          {t('auth.noCode')}
          <AskService />
        </div>
      </Form>
      <p className={styles.other}>
        {t('auth.hasAccount')}
        <Link to="/login">{t('auth.toLogin')}</Link>
      </p>
    </AuthPage>
  );
}

const nothing = { username: '', email: '', phone: '', license_key: '' };
const noPasswords = { password: '', confirm_password: '' };
type RegisterValues = typeof nothing & typeof noPasswords;

function checkRegister(values: RegisterValues): Problems<keyof RegisterValues> {
  const errors = empty(values);
  errors.password ??= passwordProblem(values.password, values.username);
  if (!errors.email && emailProblem(values.email)) errors.email = 'auth.badEmail';
  if (!errors.phone && phoneProblem(values.phone)) errors.phone = 'auth.badPhone';
  if (!errors.confirm_password && values.confirm_password !== values.password) {
    errors.confirm_password = 'auth.mismatch';
  }
  return errors;
}
