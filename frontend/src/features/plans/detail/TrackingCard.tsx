import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { CopyRow } from '@/ui/controls/CopyRow';
import { Card } from '@/ui/display/Card';
import styles from './TrackingCard.module.css';

const links = ['landing_url', 'click_url', 'pixel_url', 'postback_url'] as const;

/** The plan's own links, to share. */
export function TrackingCard({ tracking }: { tracking: PlanDetail['tracking'] }) {
  const { t } = useTranslation();
  return (
    <Card title={t('plans.tracking.title')}>
      <p className={styles.hint}>{t('plans.tracking.hint')}</p>
      <ul className={styles.links}>
        {links.map((link) => (
          <li key={link}>
            <CopyRow
              label={t(`plans.tracking.${link}`)}
              text={tracking[link]}
              copies={t('plans.tracking.copy', { link: t(`plans.tracking.${link}`) })}
              cut
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
