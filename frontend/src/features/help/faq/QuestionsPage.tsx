import { useTranslation } from 'react-i18next';
import { useBasicConfig } from '@/shared/config/basic-config';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { QueryFailed } from '@/ui/feedback/QueryFailed';
import { ListSkeleton } from '@/ui/lists/ListSkeleton';
import { AskService } from './AskService';
import styles from './FaqPage.module.css';
import { QuestionLinks } from './QuestionLinks';

export function QuestionsPage() {
  const { t } = useTranslation();
  const config = useBasicConfig();
  if (config.isPending) {
    return (
      <div className={styles.page}>
        <ListSkeleton rows={6} />
      </div>
    );
  }
  if (!config.data) return <QueryFailed of={config} />;
  const questions = config.data.faq_config;
  return (
    <div className={styles.page}>
      {questions.length === 0 ? (
        <EmptyState title={t('faq.emptyTitle')} description={t('faq.emptyText')} />
      ) : (
        <QuestionLinks label={t('faq.list')} questions={questions} />
      )}
      <AskService />
    </div>
  );
}
