import type { ParseKeys } from 'i18next';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { useCachedConfig } from '@/api/queries/cached-config';
import type { User } from '@/api/types';
import { ContactFields } from '@/shared/forms/ContactFields';
import { emailProblem, phoneProblem } from '@/shared/forms/contact-formats';
import { Form } from '@/shared/forms/Form';
import { useDraft } from '@/shared/forms/use-draft';
import { type Problems, useForm } from '@/shared/forms/use-form';
import { useLeaving } from '@/shared/forms/use-leaving';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { showToast } from '@/ui/feedback/toast-store';
import { TextField } from '@/ui/form/TextField';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import { useSaveProfile } from '../me/mutations';
import styles from './ProfileForm.module.css';

export function ProfileForm({ user }: { user: User }) {
  const { t } = useTranslation();
  const [filled, setFilled] = useState(() => valuesOf(user));
  const [values, keep, drop] = useDraft('profile', () => filled);
  const latest = useRef(values);
  latest.current = values;
  const save = useSaveProfile();
  const changes = changesOf(values, filled);
  const [asking, setAsking] = useState(false);
  const [saved, setSaved] = useState(false);
  const simulated = useCachedConfig()?.data_source === 'simulated';
  const send = async (password?: string) => {
    const saved = valuesOf(await save({ ...changes, ...(password && { password }) }));
    setFilled(saved);
    // Fields that were changed while the form was being saved keep what was typed.
    keep({ ...latest.current, ...agreeing(latest.current, values, saved) });
    drop();
    showToast(t('me.saved'), 'success');
    setSaved(true);
  };
  useLeaving(saved && !asking);
  const form = useForm({
    state: [values, keep],
    problems: checkProfile(changes),
    send: async () => {
      try {
        await send();
      } catch (error) {
        // The server knows whether a transaction password is set, and asks for it last.
        if (!needsPassword(error)) throw error;
        setAsking(true);
      }
    },
    refusedAt: (failure) =>
      failure instanceof ApiError && failure.fields.nickname === 'invalid'
        ? { nickname: t('me.nicknameUnseen') }
        : {},
  });
  return (
    <Card>
      <Form {...form.props}>
        <TextField
          {...form.field('nickname')}
          label={t('me.nickname')}
          hint={t('me.nicknameHint')}
          autoComplete="nickname"
        />
        <ContactFields field={form.field} />
        <Button type="submit" loading={form.busy} disabled={Object.keys(changes).length === 0}>
          {t('me.save')}
        </Button>
      </Form>
      <TransactionPasswordDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={(password) => form.run(() => send(password))}
      >
        <Facts
          facts={[
            changes.email !== undefined && { label: t('auth.email'), value: changes.email },
            changes.phone !== undefined && { label: t('auth.phone'), value: changes.phone },
          ]}
        />
        {/* A simulated installation has no waiting period. */}
        {!simulated && <p className={styles.hold}>{t('wallet.rebindHold')}</p>}
      </TransactionPasswordDialog>
    </Card>
  );
}

/** The saved values of the fields that still hold what was sent. */
function agreeing(now: ProfileValues, sent: ProfileValues, saved: ProfileValues) {
  const same = profileFields.filter((field) => now[field] === sent[field]);
  return Object.fromEntries(same.map((field) => [field, saved[field]]));
}

function needsPassword(error: unknown): boolean {
  return error instanceof ApiError && error.fields.password === 'required';
}

const profileFields = ['nickname', 'email', 'phone'] as const;
type ProfileField = (typeof profileFields)[number];
type ProfileValues = Record<ProfileField, string>;

const longestNickname = 32;

function valuesOf(user: User): ProfileValues {
  return { nickname: user.nickname, email: user.email, phone: user.phone };
}

/** Only what differs from what the form was filled with is sent, so that changes made elsewhere are kept. */
function changesOf(values: ProfileValues, filled: ProfileValues): Partial<ProfileValues> {
  const changed = profileFields
    .map((field) => [field, values[field].trim()] as const)
    .filter(([field, value]) => value !== filled[field]);
  return Object.fromEntries(changed);
}

/** The problems of changed fields. Values accepted earlier are not checked again. */
function checkProfile(changes: Partial<ProfileValues>): Problems<ProfileField> {
  const problems = {
    nickname: changes.nickname === undefined ? null : nicknameProblem(changes.nickname),
    email: changes.email === undefined ? null : emailProblem(changes.email),
    phone: changes.phone === undefined ? null : phoneProblem(changes.phone),
  };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem));
}

function nicknameProblem(name: string): ParseKeys | null {
  if (!name) return 'fields.required';
  return [...name].length > longestNickname ? 'fields.too_long' : null;
}
