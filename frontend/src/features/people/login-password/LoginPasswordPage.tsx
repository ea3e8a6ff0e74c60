import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import type { Refusal, Shown } from '@/api/contract/refusal';
import { ApiError } from '@/api/errors';
import { useUser } from '@/api/user';
import { showSignedOut } from '@/shared/account/signed-out';
import { Form } from '@/shared/forms/Form';
import { useForm } from '@/shared/forms/use-form';
import { Card } from '@/ui/display/Card';
import { Notice } from '@/ui/feedback/Notice';
import { PasswordField } from '@/ui/form/PasswordField';
import { PasswordRules } from '../auth/PasswordRules';
import styles from '../me/MePage.module.css';
import {
  checkPasswords,
  type PasswordField as Name,
  noPasswords,
  refusedAt,
} from './login-password.schema';

export function LoginPasswordPage() {
  const { t } = useTranslation();
  const user = useUser();
  const state = useState(noPasswords);
  const [values] = state;
  const form = useForm({
    state,
    problems: checkPasswords(values, user?.username ?? ''),
    send: async () => {
      const inline: Shown[] = ['fields', ...(Object.keys(refusedAt) as Refusal[])];
      await call('POST', '/update/password', { body: values, inline });
      showSignedOut(t('me.password.changed'));
    },
    refusedAt: (failure) => {
      const at = failure instanceof ApiError && refusedAt[failure.error];
      return at ? { [at]: failure.msg } : {};
    },
  });
  const field = (name: Name) => ({ ...form.field(name), label: t(`me.password.${name}`) });
  const rules = { password: values.new_password, username: user?.username ?? '' };
  return (
    <div className={styles.page}>
      <Card>
        <Form {...form.props} submit={t('me.password.save')}>
          {/* Tells a password manager whose the new one is. */}
          <input hidden readOnly autoComplete="username" value={user?.username ?? ''} />
          <PasswordField {...field('old_password')} autoComplete="current-password" />
          <PasswordField
            {...field('new_password')}
            hint={<PasswordRules {...rules} error={form.field('new_password').error} />}
            autoComplete="new-password"
          />
          <PasswordField {...field('confirm_password')} autoComplete="new-password" />
          <Notice>{t('me.password.everywhere')}</Notice>
          {user?.entry === 'app' && <Notice>{t('me.password.noPassword')}</Notice>}
        </Form>
      </Card>
    </div>
  );
}
