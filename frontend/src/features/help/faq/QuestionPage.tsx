import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useBasicConfig } from '@/shared/config/basic-config';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Notice } from '@/ui/feedback/Notice';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { LostPicture } from '@/ui/illustrations/LostPicture';
import { AskServiceCard } from './AskServiceCard';
import styles from './FaqPage.module.css';
import { QuestionLinks } from './QuestionLinks';

/** The answer with a figure from experience, which must not be mistaken for a promise. */
const aboutResults = 'results';

export function QuestionPage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const config = useBasicConfig();
  if (!config.data) {
    const card = <CardSkeletons className={styles.page} lines={[4]} />;
    return <Unanswered of={config} meanwhile={card} />;
  }
  const questions = config.data.faq_config;
  const shown = questions.find(({ id }) => id === params.get('id'));
  if (!shown) {
    return (
      <EmptyState
        picture={<LostPicture />}
        title={t('faq.goneTitle')}
        description={t('faq.goneText')}
        action={<LinkButton to="/ad-center/questions">{t('faq.toList')}</LinkButton>}
      />
    );
  }
  return (
    <div className={styles.page}>
      <Card>
        <h2 className={styles.title}>{shown.question}</h2>
        <p className={styles.answer}>{shown.answer}</p>
        {shown.id === aboutResults && <Notice>{t('faq.noPromise')}</Notice>}
      </Card>
      {questions.length > 1 && (
        <QuestionLinks
          label={t('faq.others')}
          questions={questions.filter((one) => one !== shown)}
          // The back arrow leads to the list, not back through every answer.
          replace
        />
      )}
      <AskServiceCard />
    </div>
  );
}
