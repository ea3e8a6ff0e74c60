import { useTranslation } from 'react-i18next';
import type { ClaimedKey } from '@/api/types';
import styles from '@/shared/link/LinkPage.module.css';
import { CopyRow } from '@/ui/controls/CopyRow';
import { Card } from '@/ui/display/Card';
import { Notice } from '@/ui/feedback/Notice';

/** The key, which is not shown again, and what its holder reads to us. */
export function KeyCard({ claimed }: { claimed: ClaimedKey }) {
  const { t } = useTranslation();
  const { name, kind, key, fingerprint, advertiser_id: advertiser } = claimed;
  const bids = kind === 'ssp_key' ? `${window.location.origin}/openrtb2/bid/${key}` : null;
  const rows = [
    { label: t('claim.key'), text: key },
    ...(advertiser ? [{ label: t('claim.advertiserId'), text: advertiser }] : []),
    ...(bids ? [{ label: t('claim.address'), text: bids }] : []),
  ];
  return (
    <div className={styles.page}>
      <Card>
        <div className={styles.stack}>
          <h2 className={styles.name}>{name}</h2>
          <p>{t(`claim.${kind}`)}</p>
          <Notice tone="warning">{t('claim.keyHint')}</Notice>
          {rows.map(({ label, text }) => (
            <CopyRow
              key={label}
              label={label}
              text={text}
              copies={t('plans.tracking.copy', { link: label })}
            />
          ))}
        </div>
      </Card>
      <Card title={t('claim.fingerprint')}>
        <div className={styles.stack}>
          <code className={styles.name}>{fingerprint}</code>
          <p>{t('claim.fingerprintHint')}</p>
        </div>
      </Card>
    </div>
  );
}
