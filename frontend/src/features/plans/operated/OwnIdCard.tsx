import { useTranslation } from 'react-i18next';
import type { OwnId } from '@/api/types';
import { formatCount } from '@/i18n/format';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import styles from './OperatedPage.module.css';

/** The id that others follow the user by, and the number of followers. */
export function OwnIdCard({ own }: { own: OwnId }) {
  const { t } = useTranslation();
  return (
    <Card title={t('operated.ownTitle')}>
      <Facts
        facts={[
          { label: t('operated.id'), value: own.operated_id },
          { label: t('operated.name'), value: own.name },
          { label: t('operated.followers'), value: formatCount(own.followers) },
        ]}
      />
      <p className={styles.soft}>{t('operated.own')}</p>
    </Card>
  );
}
