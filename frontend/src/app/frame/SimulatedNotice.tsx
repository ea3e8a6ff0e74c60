import { useTranslation } from 'react-i18next';
import { useCachedConfig } from '@/api/queries/cached-config';
import styles from './SimulatedNotice.module.css';

/** A demonstration must never be mistaken for real income, so every page says so. */
export function SimulatedNotice() {
  const { t } = useTranslation();
  const config = useCachedConfig();
  if (config?.data_source !== 'simulated') return null;
  return <p className={styles.notice}>{t('app.simulated')}</p>;
}
