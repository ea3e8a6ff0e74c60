import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import type { Refusal, Shown } from '@/api/contract/refusal';
import { ApiError } from '@/api/errors';
import { session } from '@/api/session';
import { useUser } from '@/api/user';
import { useSubmit } from '@/shared/forms/use-submit';
import { replacePage } from '@/shared/navigation/navigation';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { PasswordField } from '@/ui/form/PasswordField';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import styles from '../profile/ProfileForm.module.css';

const wrongPassword: Refusal[] = ['wrong_credentials', 'old_password_wrong'];
const toastMs = 5000;

/** Asks for the login password, and for confirmation. `onRefused` reads again what is left. */
export function CloseForm({ onRefused }: { onRefused: () => void }) {
  const { t } = useTranslation();
  const user = useUser();
  const [password, setPassword] = useState('');
  const [error, setError] = useState('');
  const [refusal, setRefusal] = useState('');
  const [asking, setAsking] = useState(false);
  const { busy, fields, setFields, submit } = useSubmit(async () => {
    try {
      const inline: Shown[] = ['fields', 'funds_remaining', ...wrongPassword];
      await call('POST', '/user/close', { body: { password }, inline });
    } catch (problem) {
      setAsking(false);
      if (problem instanceof ApiError && wrongPassword.includes(problem.error)) {
        setError(t('me.close.wrongPassword'));
      }
      if (problem instanceof ApiError && problem.error === 'funds_remaining') {
        setRefusal(problem.msg);
        onRefused();
      }
      throw problem;
    }
    session.clear();
    replacePage('/login');
    showToast(t('me.close.done'), 'success', toastMs);
  });
  const ask = (event: FormEvent) => {
    event.preventDefault();
    setFields({});
    setRefusal('');
    if (password) setAsking(true);
    else setError(t('fields.required'));
  };
  return (
    <Card>
      <form className={styles.form} onSubmit={ask} noValidate>
        <PasswordField
          name="password"
          label={t('me.close.password')}
          hint={t('me.close.passwordHint')}
          autoComplete="current-password"
          value={password}
          error={error || fields.password}
          onChange={(typed) => {
            setPassword(typed);
            setError('');
            setFields({});
          }}
        />
        {refusal && (
          <Notice tone="negative" urgent>
            {refusal}
          </Notice>
        )}
        <Button type="submit" variant="danger">
          {t('me.close.submit')}
        </Button>
      </form>
      {user?.entry === 'app' && (
        <Notice action={<ServiceButton />}>{t('me.close.noPassword')}</Notice>
      )}
      <ConfirmDialog
        open={asking}
        title={t('me.close.sure')}
        confirmLabel={t('me.close.confirm')}
        danger
        busy={busy}
        onConfirm={submit}
        onClose={() => setAsking(false)}
      >
        <p>{t('me.close.sureText')}</p>
      </ConfirmDialog>
    </Card>
  );
}

function ServiceButton() {
  const { t } = useTranslation();
  return (
    <Button size="small" variant="secondary" onClick={() => openCustomerService()}>
      {t('app.bar.service')}
    </Button>
  );
}
