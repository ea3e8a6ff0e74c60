import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NetworkError } from '@/api/errors';
import { networkText } from '@/api/status-text';
import type { Message } from '@/api/types';
import { useSubmit } from '@/shared/forms/use-submit';
import { Button } from '@/ui/controls/Button';
import { Notice } from '@/ui/feedback/Notice';
import { LongTextField } from '@/ui/form/LongTextField';
import { ImageUpload } from '@/ui/images/ImageUpload';
import { isSending } from '@/ui/images/image-uploads';
import styles from './Composer.module.css';
import { draft, draftKey, draftPictures, maxLength } from './draft';
import { sendMessage } from './queries';

type Props = { onSent(message: Message): void };

/** What is typed stays until the server has confirmed it, also through a reload. */
export function Composer({ onSent }: Props) {
  const { t } = useTranslation();
  const { text } = draft.use();
  const uploads = draftPictures();
  const items = uploads.use();
  const [adding, setAdding] = useState(false);
  const [tried, setTried] = useState(false);
  const [unsent, setUnsent] = useState<NetworkError | null>(null);
  const waiting = items.some(isSending)
    ? 'feedback.imagesSending'
    : items.some(({ problem }) => problem)
      ? 'feedback.imagesFailed'
      : null;
  const nothing = !text.trim() && items.length === 0;
  const { busy, fields, setFields, submit } = useSubmit(async () => {
    setUnsent(null);
    const pictures = uploads.get().flatMap(({ sent }) => sent?.id ?? []);
    try {
      const message = await sendMessage({ text: text.trim(), pictures, key: draftKey() });
      draft.clear();
      setAdding(false);
      setTried(false);
      onSent(message);
    } catch (error) {
      if (error instanceof NetworkError) setUnsent(error);
      throw error;
    }
  });
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    setTried(true);
    setFields({});
    if (!nothing && !waiting) void submit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event);
  };
  const problem = fields.text || (tried && nothing ? t('feedback.required') : null);
  return (
    <form className={styles.composer} onSubmit={send} onKeyDown={onKeyDown} noValidate>
      <LongTextField
        name="text"
        label={t('app.customer.message')}
        rows={2}
        value={text}
        maxLength={maxLength}
        error={problem}
        onChange={(next) => {
          if (next === text) return;
          draft.change({ text: next, key: '' });
          setFields({});
          setTried(false);
        }}
      />
      {(adding || items.length > 0) && (
        <ImageUpload label={t('app.customer.pictures')} uploads={uploads} />
      )}
      {fields.pictures && (
        <Notice tone="negative" urgent>
          {fields.pictures}
        </Notice>
      )}
      {tried && waiting && (
        <Notice tone="warning" urgent>
          {t(waiting)}
        </Notice>
      )}
      {unsent && (
        <Notice tone="warning" urgent>
          {networkText(unsent, t, 'app.customer.lost')}
        </Notice>
      )}
      <div className={styles.actions}>
        {!adding && items.length === 0 && (
          <Button variant="secondary" icon="plus" onClick={() => setAdding(true)}>
            {t('app.customer.addPictures')}
          </Button>
        )}
        <Button type="submit" loading={busy}>
          {t('app.customer.send')}
        </Button>
      </div>
    </form>
  );
}
