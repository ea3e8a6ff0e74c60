import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatSpan } from '@/i18n/format';
import { paceQuery } from '../queries';
import styles from './WithdrawPage.module.css';

/** When a withdrawal arrives, as far as the latest ones tell. Nothing is promised. */
export function ArrivesText() {
  const { t } = useTranslation();
  const { data: pace } = useQuery(paceQuery);
  if (!pace) return null;
  const { half_within: half, all_within: all } = pace;
  return (
    <p className={styles.reason}>
      {half === null || all === null
        ? t('wallet.arrivesUnknown')
        : t('wallet.arrives', { half: formatSpan(half), all: formatSpan(all) })}
    </p>
  );
}
