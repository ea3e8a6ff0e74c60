import { useTranslation } from 'react-i18next';
import { Form } from '@/shared/forms/Form';
import { useForm } from '@/shared/forms/use-form';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { LongTextField } from '@/ui/form/LongTextField';
import { TextField } from '@/ui/form/TextField';
import { ImageUpload } from '@/ui/images/ImageUpload';
import { DraftNotices } from '../DraftNotices';
import { draft, draftImages } from './draft';
import styles from './FeedbackPage.module.css';
import { checkFeedback, checkImages, maxLength } from './feedback.schema';
import { sendFeedback } from './mutations';

type Props = { onSent(id: string): void };

export function FeedbackForm({ onSent }: Props) {
  const { t } = useTranslation();
  const { topic, content } = draft.use();
  const uploads = draftImages();
  const imagesProblem = checkImages(uploads.use());
  const form = useForm({
    state: [{ topic, content, images: '' }, ({ images: _, ...texts }) => draft.change(texts)],
    problems: { ...checkFeedback({ topic, content }), images: imagesProblem },
    send: async () => {
      const images = uploads.get().flatMap(({ sent }) => sent?.id ?? []);
      const { id } = await sendFeedback({ topic: topic.trim(), content: content.trim(), images });
      draft.clear();
      onSent(id);
    },
  });
  return (
    <Card>
      <Form {...form.props} className={styles.form}>
        <TextField
          {...form.field('topic')}
          label={t('feedback.topic')}
          hint={t('feedback.topicHint')}
          maxLength={maxLength.topic}
        />
        <LongTextField
          {...form.field('content')}
          label={t('feedback.content')}
          rows={6}
          maxLength={maxLength.content}
        />
        <ImageUpload label={t('feedback.images')} uploads={uploads} />
        <DraftNotices
          pictures={form.field('images').error}
          waiting={imagesProblem !== null}
          failure={form.failure}
          lost="feedback.lost"
        />
        <Button type="submit" loading={form.busy}>
          {t('feedback.send')}
        </Button>
      </Form>
    </Card>
  );
}
