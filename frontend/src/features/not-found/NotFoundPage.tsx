import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import styles from './NotFoundPage.module.css';

export function NotFoundPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <main className={styles.page}>
      <p className={styles.number} aria-hidden="true">
        404
      </p>
      <EmptyState icon="alert" title={t('app.notFound.title')} text={t('app.notFound.text')}>
        <Button onClick={() => navigate('/ad-center', { replace: true })}>
          {t('app.notFound.home')}
        </Button>
      </EmptyState>
    </main>
  );
}
