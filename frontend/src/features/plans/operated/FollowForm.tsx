import type { ParseKeys } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import type { Shown } from '@/api/contract/refusal';
import { isRefusal, NetworkError } from '@/api/errors';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import { networkText } from '@/api/status-text';
import type { Followable, Following, OwnId } from '@/api/types';
import { Form } from '@/shared/forms/Form';
import { useDraft } from '@/shared/forms/use-draft';
import { useForm } from '@/shared/forms/use-form';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { showToast } from '@/ui/feedback/toast-store';
import { TextField } from '@/ui/form/TextField';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import styles from './OperatedPage.module.css';

type Props = { current: Following | null; own: OwnId | null };

export function FollowForm({ current, own }: Props) {
  const { t } = useTranslation();
  const follow = useFollow();
  const [values, keep] = useDraft('follow', () => ({ operated_id: '' }));
  const { operated_id } = values;
  const [found, setFound] = useState<Followable | null>(null);
  const form = useForm({
    state: [values, keep],
    problems: { operated_id: checkFollowId(operated_id, [current?.operated_id, own?.operated_id]) },
    send: async () => setFound(await checkFollowable(operated_id.trim())),
    refusedAt: (failure) => {
      if (failure instanceof NetworkError) {
        return { operated_id: networkText(failure, t, 'app.error.offline') };
      }
      const wrong = isRefusal(failure, 'follow_id_invalid');
      return wrong ? { operated_id: failure.msg || t('operated.invalid') } : {};
    },
  });
  const start = async () => {
    try {
      await follow.mutateAsync(operated_id.trim());
      keep({ operated_id: '' });
      showToast(t('operated.done'), 'success');
    } finally {
      setFound(null);
    }
  };
  return (
    <Card title={t(current ? 'operated.followAnother' : 'operated.follow')}>
      <Form {...form.props} submit={t('operated.follow')}>
        <TextField
          label={t('operated.id')}
          hint={t('operated.idHint')}
          {...form.field('operated_id')}
          autoComplete="off"
          autoCapitalize="none"
        />
      </Form>
      <ConfirmDialog
        open={found !== null}
        title={t('operated.confirmTitle', { id: found?.operated_id })}
        confirmLabel={t('operated.confirm')}
        busy={form.busy}
        onConfirm={() => void form.run(start)}
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

/** Refuses an empty id, one that is followed already, and one's own. */
function checkFollowId(
  typed: string,
  taken: readonly (string | null | undefined)[],
): ParseKeys | null {
  // The server accepts an id in upper or lower case.
  const id = typed.trim().toUpperCase();
  if (!id) return 'operated.required';
  return taken.some((one) => one?.toUpperCase() === id) ? 'operated.invalid' : null;
}

const shownAtField: Shown[] = ['follow_id_invalid', 'fields', 'network'];

/** Looks up the owner of an ID, before anything is confirmed. */
function checkFollowable(operatedId: string) {
  return call('GET', '/assistance/check', {
    query: { operated_id: operatedId },
    inline: shownAtField,
  });
}

export function useFollow() {
  const follow = (operated_id: string) =>
    call('POST', '/assistance/follow', { body: { operated_id }, inline: shownAtField });
  return useInvalidatingMutation('follow', follow, { awaitRefetch: true, onSuccessOnly: true });
}
