import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/ui/EmptyState';
import { LinkButton } from '@/ui/LinkButton';
import styles from './NotFoundPage.module.css';

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <main className={styles.page}>
      <p className={styles.number} aria-hidden="true">
        404
      </p>
      <EmptyState
        title={t('app.notFound.title')}
        description={t('app.notFound.text')}
        action={<LinkButton to="/ad-center">{t('app.notFound.home')}</LinkButton>}
      />
    </main>
  );
}
