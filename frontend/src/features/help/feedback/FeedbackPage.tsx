import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { Form } from '@/shared/forms/Form';
import { useForm } from '@/shared/forms/use-form';
import { Button } from '@/ui/controls/Button';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { SuccessState } from '@/ui/feedback/SuccessState';
import { LongTextField } from '@/ui/form/LongTextField';
import { TextField } from '@/ui/form/TextField';
import { ImageUpload } from '@/ui/images/ImageUpload';
import { clearSent } from '../clear-sent';
import { DraftNotices } from '../DraftNotices';
import { draft, draftImages } from './draft';
import styles from './FeedbackPage.module.css';
import { checkFeedback, checkImages } from './feedback.schema';

export function FeedbackPage() {
  const { t } = useTranslation();
  const [sent, setSent] = useState<string | null>(null);
  return (
    <div className={styles.page}>
      {sent === null ? (
        <>
          <p className="intro">{t('feedback.intro')}</p>
          <FeedbackForm onSent={setSent} />
        </>
      ) : (
        <SuccessState
          title={t('feedback.sentTitle')}
          description={t('feedback.sentText', { id: sent })}
          action={
            <div className={styles.ways}>
              <LinkButton to="/ad-center">{t('feedback.toAdCenter')}</LinkButton>
              <Button variant="secondary" onClick={() => setSent(null)}>
                {t('feedback.another')}
              </Button>
            </div>
          }
        />
      )}
    </div>
  );
}

function FeedbackForm({ onSent }: { onSent(id: string): void }) {
  const { t } = useTranslation();
  const { topic, content } = draft.use();
  const uploads = draftImages();
  const imagesProblem = checkImages(uploads.use());
  const form = useForm({
    state: [{ topic, content, images: '' }, ({ images: _, ...texts }) => draft.change(texts)],
    problems: { ...checkFeedback({ topic, content }), images: imagesProblem },
    send: async () => {
      const pictures = uploads.get();
      const images = pictures.flatMap(({ sent }) => sent?.id ?? []);
      const body = { topic: topic.trim(), content: content.trim(), images };
      const { id } = await call('POST', '/feedback', { body, inline: ['fields', 'network'] });
      clearSent(draft, uploads, { texts: { topic, content }, pictures });
      onSent(id);
    },
  });
  return (
    <Card>
      <Form {...form.props} className={styles.form} submit={t('feedback.send')}>
        <TextField
          {...form.field('topic')}
          label={t('feedback.topic')}
          hint={t('feedback.topicHint')}
        />
        <LongTextField {...form.field('content')} label={t('feedback.content')} rows={6} />
        <ImageUpload label={t('feedback.images')} uploads={uploads} />
        <DraftNotices
          pictures={form.field('images').error}
          waiting={imagesProblem !== null}
          failure={form.failure}
          lost="feedback.lost"
        />
      </Form>
    </Card>
  );
}
