import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { LinkButton } from '@/ui/controls/LinkButton';
import { SuccessState } from '@/ui/feedback/SuccessState';
import { FeedbackForm } from './FeedbackForm';
import styles from './FeedbackPage.module.css';

export function FeedbackPage() {
  const { t } = useTranslation();
  const [sent, setSent] = useState<string | null>(null);
  return (
    <div className={styles.page}>
      {sent === null ? (
        <>
          <p className={styles.intro}>{t('feedback.intro')}</p>
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
