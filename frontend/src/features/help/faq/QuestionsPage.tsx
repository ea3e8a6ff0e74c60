import { useTranslation } from 'react-i18next';
import { useBasicConfig } from '@/shared/config/basic-config';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { ListSkeleton } from '@/ui/lists/ListSkeleton';
import { AskServiceCard } from './AskServiceCard';
import styles from './FaqPage.module.css';
import { QuestionLinks } from './QuestionLinks';

export function QuestionsPage() {
  const { t } = useTranslation();
  const config = useBasicConfig();
  if (!config.data) {
    const list = (
      <div className={styles.page}>
        <ListSkeleton rows={6} />
      </div>
    );
    return <Unanswered of={config} meanwhile={list} />;
  }
  const questions = config.data.faq_config;
  return (
    <div className={styles.page}>
      {questions.length === 0 ? (
        <EmptyState title={t('faq.emptyTitle')} description={t('faq.emptyText')} />
      ) : (
        <QuestionLinks label={t('faq.list')} questions={questions} />
      )}
      <AskServiceCard />
    </div>
  );
}
