import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message } from '@/api/types';
import { Form } from '@/shared/forms/Form';
import { useForm } from '@/shared/forms/use-form';
import { Button } from '@/ui/controls/Button';
import { LongTextField } from '@/ui/form/LongTextField';
import { ImageUpload } from '@/ui/images/ImageUpload';
import { clearSent } from '../clear-sent';
import { DraftNotices } from '../DraftNotices';
import { checkImages, tooLong } from '../feedback/feedback.schema';
import styles from './Composer.module.css';
import { draft, draftKey, draftPictures, maxLength } from './draft';
import { sendMessage } from './queries';

/** What is typed stays until the server has confirmed it, also through a reload. */
export function Composer({ onSent }: { onSent(message: Message): void }) {
  const { t } = useTranslation();
  const { text } = draft.use();
  const uploads = draftPictures();
  const items = uploads.use();
  const [adding, setAdding] = useState(false);
  const waiting = checkImages(items);
  const nothing = !text.trim() && items.length === 0;
  const wrong = nothing ? 'feedback.required' : tooLong(text, maxLength);
  const form = useForm({
    state: [
      { text, pictures: '' },
      (next) => next.text !== text && draft.change({ text: next.text, key: '' }),
    ],
    problems: { text: wrong, pictures: waiting },
    send: async () => {
      const pictures = uploads.get();
      const ids = pictures.flatMap(({ sent }) => sent?.id ?? []);
      const message = await sendMessage({ text: text.trim(), pictures: ids, key: draftKey() });
      clearSent(draft, uploads, { texts: { text }, pictures });
      setAdding(false);
      onSent(message);
    },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.props.onSubmit(event);
  };
  return (
    <Form {...form.props} className={styles.composer} onKeyDown={onKeyDown}>
      <LongTextField {...form.field('text')} label={t('app.customer.message')} rows={1} />
      {(adding || items.length > 0) && (
        <ImageUpload label={t('app.customer.pictures')} uploads={uploads} />
      )}
      <DraftNotices
        pictures={form.field('pictures').error}
        waiting={waiting !== null}
        failure={form.failure}
        lost="app.customer.lost"
      />
      <div className={styles.actions}>
        {!adding && items.length === 0 && (
          <Button variant="secondary" icon="plus" onClick={() => setAdding(true)}>
            {t('app.customer.addPictures')}
          </Button>
        )}
        <Button type="submit" loading={form.busy}>
          {t('app.customer.send')}
        </Button>
      </div>
    </Form>
  );
}
