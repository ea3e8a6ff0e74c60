import { useTranslation } from 'react-i18next';
import { useKnownConfig } from '@/shared/config/known-config';
import styles from './SimulatedNotice.module.css';

/** A demonstration must never be taken for real income: it says so on every page. */
export function SimulatedNotice() {
  const { t } = useTranslation();
  const config = useKnownConfig();
  if (config?.data_source !== 'simulated') return null;
  return <p className={styles.notice}>{t('app.simulated')}</p>;
}
