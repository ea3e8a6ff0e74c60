import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, NetworkError } from '@/api/errors';
import { networkText } from '@/api/status-text';
import type { Followable, Following, OwnId } from '@/api/types';
import { useSubmit } from '@/shared/forms/use-submit';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { showToast } from '@/ui/feedback/toast-store';
import { TextField } from '@/ui/form/TextField';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { checkFollowable, useFollow } from './mutations';
import styles from './OperatedPage.module.css';
import { checkFollowId } from './operated.schema';

type Props = { current: Following | null; own: OwnId | null };

export function FollowForm({ current, own }: Props) {
  const { t } = useTranslation();
  const follow = useFollow();
  const [id, setId] = useState('');
  const [error, setError] = useState('');
  const [found, setFound] = useState<Followable | null>(null);
  const { busy, fields, setFields, submit } = useSubmit(async () => {
    try {
      await follow.mutateAsync(id.trim());
      setId('');
      showToast(t('operated.done'), 'success');
    } catch (failure) {
      setError(problemOf(failure));
      throw failure;
    } finally {
      setFound(null);
    }
  });
  const check = useSubmit(async () => {
    try {
      setFound(await checkFollowable(id.trim()));
    } catch (failure) {
      setError(problemOf(failure));
      throw failure;
    }
  });
  const problemOf = (failure: unknown) => {
    if (failure instanceof NetworkError) return networkText(failure, t, 'app.error.offline');
    const wrong = failure instanceof ApiError && failure.error === 'follow_id_invalid';
    return wrong ? failure.msg || t('operated.invalid') : '';
  };

  const ask = (event: FormEvent) => {
    event.preventDefault();
    const problem = checkFollowId(id, [current?.operated_id, own?.operated_id]);
    setError(problem ? t(problem) : '');
    if (!problem) void check.submit();
  };
  return (
    <Card title={t(current ? 'operated.followAnother' : 'operated.follow')}>
      <form className={styles.form} onSubmit={ask} noValidate>
        <TextField
          label={t('operated.id')}
          hint={t('operated.idHint')}
          name="operated_id"
          autoComplete="off"
          autoCapitalize="none"
          maxLength={64}
          value={id}
          error={error || fields.operated_id}
          onChange={(value) => {
            setId(value);
            setError('');
            setFields({});
          }}
        />
        <Button type="submit" loading={check.busy}>
          {t('operated.follow')}
        </Button>
      </form>
      <ConfirmDialog
        open={found !== null}
        title={t('operated.confirmTitle', { id: found?.operated_id })}
        confirmLabel={t('operated.confirm')}
        busy={busy}
        onConfirm={() => void submit()}
        onClose={() => setFound(null)}
      >
        {found && <Facts facts={[{ label: t('operated.name'), value: found.name }]} />}
        <ul className={styles.points}>
          <li>{t('operated.means.offers')}</li>
          <li>{t('operated.means.nothingSpent')}</li>
          {current && <li>{t('operated.means.ends', { id: current.operated_id })}</li>}
        </ul>
      </ConfirmDialog>
    </Card>
  );
}
