import { useTranslation } from 'react-i18next';
import { LinkButton } from '@/ui/controls/LinkButton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { LostPicture } from '@/ui/illustrations/LostPicture';
import { usePageName } from './frame/use-page-name';
import styles from './NotFoundPage.module.css';

export function NotFoundPage() {
  const { t } = useTranslation();
  usePageName(t('app.notFound.title'));
  return (
    <main className={styles.page}>
      <h1 className={styles.number}>404</h1>
      <EmptyState
        picture={<LostPicture />}
        title={t('app.notFound.title')}
        description={t('app.notFound.text')}
        action={<LinkButton to="/ad-center">{t('app.notFound.home')}</LinkButton>}
      />
    </main>
  );
}
