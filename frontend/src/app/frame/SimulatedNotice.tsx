import { useTranslation } from 'react-i18next';
import { useSession } from '@/api/session';
import styles from './SimulatedNotice.module.css';

/** A demonstration must never be taken for real income: it says so on every page. */
export function SimulatedNotice() {
  const { t } = useTranslation();
  const { config } = useSession();
  if (config?.data_source !== 'simulated') return null;
  return <p className={styles.notice}>{t('app.simulated')}</p>;
}
