import { useTranslation } from 'react-i18next';
import { useReadOnly } from '@/shared/account/read-only';
import styles from './ReadOnlyNotice.module.css';

/** Staff who look at a user's account must never take it for their own, so every page says so. */
export function ReadOnlyNotice() {
  const { t } = useTranslation();
  const session = useReadOnly();
  if (!session) return null;
  return (
    <p className={styles.notice} role="status">
      <span>{t('app.readOnly', { operator: session.operator })}</span>
    </p>
  );
}
