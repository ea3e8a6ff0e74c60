import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NetworkError } from '@/api/errors';
import { networkText } from '@/api/status-text';
import { useSubmit } from '@/shared/forms/use-submit';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Notice } from '@/ui/feedback/Notice';
import { LongTextField } from '@/ui/form/LongTextField';
import { TextField } from '@/ui/form/TextField';
import { ImageUpload } from '@/ui/images/ImageUpload';
import { draft, draftImages } from './draft';
import styles from './FeedbackPage.module.css';
import { checkFeedback, checkImages, type Errors, maxLength, type Values } from './feedback.schema';
import { sendFeedback } from './mutations';

type Props = { onSent(id: string): void };

export function FeedbackForm({ onSent }: Props) {
  const { t } = useTranslation();
  const { topic, content } = draft.use();
  const uploads = draftImages();
  const imagesProblem = checkImages(uploads.use());
  const [errors, setErrors] = useState<Errors>({});
  const [tried, setTried] = useState(false);
  const [unsent, setUnsent] = useState<NetworkError | null>(null);
  const { busy, fields, setFields, submit } = useSubmit(async () => {
    setUnsent(null);
    const images = uploads.get().flatMap(({ sent }) => sent?.id ?? []);
    try {
      const { id } = await sendFeedback({ topic: topic.trim(), content: content.trim(), images });
      draft.clear();
      onSent(id);
    } catch (error) {
      if (error instanceof NetworkError) setUnsent(error);
      throw error;
    }
  });

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = checkFeedback({ topic, content });
    setErrors(found);
    setFields({});
    setTried(true);
    const first = Object.keys(found)[0];
    if (first) focusOn(event.currentTarget, first);
    else if (!imagesProblem) void submit();
  };
  const field = (name: keyof Values) => ({
    name,
    value: { topic, content }[name],
    maxLength: maxLength[name],
    error: errors[name] ? t(errors[name]) : fields[name],
    onChange: (value: string) => {
      draft.change({ [name]: value });
      setErrors({ ...errors, [name]: undefined });
      setFields({ ...fields, [name]: '' });
    },
  });
  return (
    <Card>
      <form className={styles.form} onSubmit={send} noValidate>
        <TextField {...field('topic')} label={t('feedback.topic')} hint={t('feedback.topicHint')} />
        <LongTextField {...field('content')} label={t('feedback.content')} rows={6} />
        <ImageUpload label={t('feedback.images')} uploads={uploads} />
        {fields.images && (
          <Notice tone="negative" urgent>
            {fields.images}
          </Notice>
        )}
        {tried && imagesProblem && (
          <Notice tone="warning" urgent>
            {t(imagesProblem)}
          </Notice>
        )}
        {unsent && (
          <Notice tone="warning" urgent>
            {networkText(unsent, t, 'feedback.lost')}
          </Notice>
        )}
        <Button type="submit" loading={busy}>
          {t('feedback.send')}
        </Button>
      </form>
    </Card>
  );
}

function focusOn(form: HTMLFormElement, name: string) {
  form.querySelector<HTMLElement>(`[name=${name}]`)?.focus();
}
