import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import type { Refusal, Shown } from '@/api/contract/refusal';
import { isRefusal } from '@/api/errors';
import { useUser } from '@/api/user';
import { forgetAccount } from '@/shared/account/leave-account';
import { showSignedOut } from '@/shared/account/signed-out';
import { Form } from '@/shared/forms/Form';
import { useForm } from '@/shared/forms/use-form';
import { ServiceButton } from '@/shared/service/ServiceButton';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Notice } from '@/ui/feedback/Notice';
import { PasswordField } from '@/ui/form/PasswordField';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';

const wrongPassword: Refusal[] = ['wrong_credentials', 'old_password_wrong'];

const somethingLeft = ['funds_remaining', 'chargeback_due'] as const;

/** Asks for the login password, and for confirmation. `onRefused` reads again what is left. */
export function CloseForm({ onRefused }: { onRefused: () => void }) {
  const { t } = useTranslation();
  const user = useUser();
  const state = useState({ password: '' });
  const [{ password }] = state;
  const [asking, setAsking] = useState(false);
  const form = useForm({
    state,
    problems: { password: password ? null : 'fields.required' },
    send: () => setAsking(true),
    refusedAt: (failure) =>
      isRefusal(failure, ...wrongPassword) ? { password: t('me.close.wrongPassword') } : {},
  });
  const close = async () => {
    try {
      const inline: Shown[] = ['fields', ...somethingLeft, ...wrongPassword];
      await call('POST', '/user/close', { body: { password }, inline });
    } catch (failure) {
      setAsking(false);
      if (isRefusal(failure, 'funds_remaining')) onRefused();
      throw failure;
    }
    forgetAccount();
    showSignedOut(t('me.close.done'));
  };
  return (
    <Card>
      <Form {...form.props}>
        <PasswordField
          {...form.field('password')}
          label={t('me.close.password')}
          hint={t('me.close.passwordHint')}
          autoComplete="current-password"
        />
        {isRefusal(form.failure, ...somethingLeft) && (
          <Notice tone="negative" urgent>
            {form.failure.msg}
          </Notice>
        )}
        <Button type="submit" variant="danger">
          {t('me.close.submit')}
        </Button>
      </Form>
      {user?.entry === 'app' && (
        <Notice action={<ServiceButton />}>{t('me.close.noPassword')}</Notice>
      )}
      <ConfirmDialog
        open={asking}
        title={t('me.close.sure')}
        confirmLabel={t('me.close.confirm')}
        danger
        busy={form.busy}
        onConfirm={() => void form.run(close)}
        onClose={() => setAsking(false)}
      >
        <p>{t('me.close.sureText')}</p>
      </ConfirmDialog>
    </Card>
  );
}
