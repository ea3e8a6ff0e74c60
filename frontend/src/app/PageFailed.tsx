import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';

/** A page that cannot be drawn must say so, and leave a way on. */
export function PageFailed() {
  const { t } = useTranslation();
  return (
    <EmptyState icon="alert" title={t('app.failed.title')} text={t('app.failed.text')}>
      <Button onClick={() => window.location.reload()}>{t('app.failed.reload')}</Button>
    </EmptyState>
  );
}
