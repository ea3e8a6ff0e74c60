import { useTranslation } from 'react-i18next';
import VantLoading from 'react-vant/es/loading/Loading.js';
import styles from './Loading.module.css';

/** Something small is on its way; for whole cards and lists there are placeholders. */
export function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" className={styles.loading}>
      <VantLoading vertical>{t('ui.loading')}</VantLoading>
    </div>
  );
}
