import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import type { Refusal } from '@/api/contract/refusal';
import { ApiError } from '@/api/errors';
import { askAgain } from '@/api/queries/asked-again';
import { queryClient } from '@/api/query-client';
import { setUser } from '@/api/user';
import { useSubmit } from '@/shared/forms/use-submit';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { TextField } from '@/ui/form/TextField';
import styles from './WelcomePage.module.css';

const aboutTheCode: Refusal[] = ['authorization_code_not_found', 'authorization_code_used'];

export function OpenAccountForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [code, setCode] = useState('');
  const [error, setError] = useState('');
  const { busy, fields, submit } = useSubmit(async () => {
    try {
      const user = await call('POST', '/opening_store', {
        body: { authorization_code: code.trim() },
        inline: ['fields', ...aboutTheCode],
      });
      setUser(user);
      void askAgain(queryClient, 'openStore');
      showToast(t('auth.opened'), 'success');
      navigate('/ad-center', { replace: true });
    } catch (failure) {
      if (failure instanceof ApiError && aboutTheCode.includes(failure.error)) {
        setError(failure.msg);
      }
      throw failure;
    }
  });

  const send = (event: FormEvent) => {
    event.preventDefault();
    setError(code.trim() ? '' : t('auth.required'));
    if (code.trim()) void submit();
  };
  return (
    <form className={styles.form} onSubmit={send} noValidate>
      <p className={styles.soft}>{t('auth.openText')}</p>
      <TextField
        label={t('auth.licenseKey')}
        name="authorization_code"
        autoComplete="off"
        value={code}
        error={error || fields.authorization_code}
        onChange={(value) => {
          setCode(value);
          setError('');
        }}
      />
      <Button type="submit" loading={busy}>
        {t('auth.open')}
      </Button>
    </form>
  );
}
