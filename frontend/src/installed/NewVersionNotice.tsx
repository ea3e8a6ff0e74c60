import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { newVersion } from './new-version';
import styles from './notices.module.css';

export function NewVersionNotice() {
  const { t } = useTranslation();
  const waiting = newVersion.use();
  const [later, setLater] = useState<ServiceWorker | null>(null);
  if (!waiting || waiting === later) return null;
  return (
    <div className={styles.version} role="status">
      <p>{t('installed.newVersion')}</p>
      <div className={styles.choices}>
        <Button size="small" variant="quiet" onClick={() => setLater(waiting)}>
          {t('installed.later')}
        </Button>
        <Button size="small" onClick={newVersion.take}>
          {t('ui.reload')}
        </Button>
      </div>
    </div>
  );
}
