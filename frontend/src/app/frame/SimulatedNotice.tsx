import { useTranslation } from 'react-i18next';
import { useKnownConfig } from '@/api/queries/known-config';
import styles from './SimulatedNotice.module.css';

/** A demonstration must never be mistaken for real income, so every page says so. */
export function SimulatedNotice() {
  const { t } = useTranslation();
  const config = useKnownConfig();
  if (config?.data_source !== 'simulated') return null;
  return <p className={styles.notice}>{t('app.simulated')}</p>;
}
