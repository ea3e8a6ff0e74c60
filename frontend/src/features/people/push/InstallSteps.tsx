import { useTranslation } from 'react-i18next';
import { Card } from '@/ui/display/Card';
import styles from '../me/MePage.module.css';

/** iOS shows notices only of an app that stands on the Home Screen. */
export function InstallSteps() {
  const { t } = useTranslation();
  return (
    <Card>
      <p>{t('me.push.install')}</p>
      <ol className={styles.page}>
        <li>{t('me.push.installShare')}</li>
        <li>{t('me.push.installAdd')}</li>
        <li>{t('me.push.installOpen')}</li>
      </ol>
    </Card>
  );
}
