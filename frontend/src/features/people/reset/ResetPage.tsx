import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import type { Refusal, Shown } from '@/api/contract/refusal';
import { isRefusal } from '@/api/errors';
import { showSignedOut } from '@/shared/account/signed-out';
import { Form } from '@/shared/forms/Form';
import { useDraft } from '@/shared/forms/use-draft';
import { type Problems, useForm } from '@/shared/forms/use-form';
import { AskService } from '@/shared/service/AskService';
import { Link } from '@/ui/controls/Link';
import { Notice } from '@/ui/feedback/Notice';
import { PasswordField } from '@/ui/form/PasswordField';
import { TextField } from '@/ui/form/TextField';
import { AuthPage } from '../auth/AuthPage';
import styles from '../auth/AuthPage.module.css';
import { empty } from '../auth/auth.schema';
import { PasswordRules } from '../auth/PasswordRules';
import { passwordProblem } from '../auth/password-rules';

const wrongCode: Refusal = 'wrong_reset_code';

/** The page for users who forgot the login password and were given a code. */
export function ResetPage() {
  const { t } = useTranslation();
  const [draft, keep] = useDraft('reset', () => nothing);
  // Whoever comes back, from asking for the other half or from signing in, types the passwords again.
  const [passwords, setPasswords] = useState(noPasswords);
  const values = { ...draft, ...passwords };
  const change = ({ password, confirm_password, ...rest }: ResetValues) => {
    setPasswords({ password, confirm_password });
    keep(rest);
  };
  const form = useForm({
    state: [values, change],
    problems: checkReset(values),
    send: async () => {
      const inline: Shown[] = ['fields', wrongCode];
      await call('POST', '/auth/reset', { body: resetBody(values), inline });
      showSignedOut(t('reset.done'));
    },
    refusedAt: (failure) => (isRefusal(failure, wrongCode) ? { first: failure.msg } : {}),
  });
  const half = {
    hint: t('reset.halfHint'),
    autoComplete: 'off',
    autoCapitalize: 'characters',
  } as const;

  return (
    <AuthPage title={t('app.title.resetPassword')} text={t('reset.text')}>
      <Form {...form.props} className={styles.form} submit={t('reset.save')}>
        <div className={styles.noCode}>
          {t('reset.noCode')}
          <AskService />
        </div>
        <TextField
          {...form.field('username')}
          label={t('auth.username')}
          autoComplete="username"
          autoCapitalize="none"
        />
        <TextField {...form.field('first')} {...half} label={t('reset.first')} />
        <TextField {...form.field('second')} {...half} label={t('reset.second')} />
        <PasswordField
          {...form.field('password')}
          autoComplete="new-password"
          label={t('me.password.new_password')}
          hint={<PasswordRules {...values} error={form.field('password').error} />}
        />
        <PasswordField
          {...form.field('confirm_password')}
          autoComplete="new-password"
          label={t('me.password.confirm_password')}
        />
        <Notice>{t('reset.everywhere')}</Notice>
      </Form>
      <p className={styles.other}>
        {t('reset.remembered')}
        <Link to="/login">{t('auth.toLogin')}</Link>
      </p>
    </AuthPage>
  );
}

const nothing = { username: '', first: '', second: '' };
const noPasswords = { password: '', confirm_password: '' };
type ResetValues = typeof nothing & typeof noPasswords;

const halfLength = 8;

/** However it is separated: it was heard on the telephone. */
function isHalf(typed: string): boolean {
  return [...typed.replace(/[^\p{L}\p{N}]/gu, '')].length === halfLength;
}

/** A half that cannot be one is named here: a wrong code counts as a try. */
function checkReset(values: ResetValues): Problems<keyof ResetValues> {
  const errors = empty(values);
  for (const half of ['first', 'second'] as const) {
    if (!errors[half] && !isHalf(values[half])) errors[half] = 'reset.incomplete';
  }
  errors.password ??= passwordProblem(values.password, values.username);
  if (!errors.confirm_password && values.confirm_password !== values.password) {
    errors.confirm_password = 'auth.mismatch';
  }
  return errors;
}

function resetBody(props: ResetValues): Body<'/auth/reset'> {
  const { username, first, second, ...passwords } = props;
  return { username: username.trim(), code: `${first.trim()} ${second.trim()}`, ...passwords };
}
