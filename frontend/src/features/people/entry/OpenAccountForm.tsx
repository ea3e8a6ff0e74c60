import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import type { Refusal } from '@/api/contract/refusal';
import { isRefusal } from '@/api/errors';
import { invalidateAfter } from '@/api/queries/invalidate';
import { queryClient } from '@/api/query-client';
import { setUser } from '@/api/user';
import { Form } from '@/shared/forms/Form';
import { useForm } from '@/shared/forms/use-form';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { TextField } from '@/ui/form/TextField';
import { empty } from '../auth/auth.schema';
import styles from './WelcomePage.module.css';

const aboutTheCode: Refusal[] = ['authorization_code_not_found', 'authorization_code_used'];

export function OpenAccountForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const state = useState({ authorization_code: '' });
  const [values] = state;
  const form = useForm({
    state,
    problems: empty(values),
    send: async () => {
      const user = await call('POST', '/opening_store', {
        body: { authorization_code: values.authorization_code.trim() },
        inline: ['fields', ...aboutTheCode],
      });
      setUser(user);
      void invalidateAfter(queryClient, 'openStore');
      showToast(t('auth.opened'), 'success');
      navigate('/ad-center', { replace: true });
    },
    refusedAt: (failure) =>
      isRefusal(failure, ...aboutTheCode) ? { authorization_code: failure.msg } : {},
  });
  return (
    <Form {...form.props} className={styles.form}>
      <p className={styles.soft}>{t('auth.openText')}</p>
      <TextField
        {...form.field('authorization_code')}
        label={t('auth.licenseKey')}
        autoComplete="off"
      />
      <Button type="submit" loading={form.busy}>
        {t('auth.open')}
      </Button>
    </Form>
  );
}
