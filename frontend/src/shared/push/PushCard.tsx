import { useTranslation } from 'react-i18next';
import { useCachedConfig } from '@/api/queries/cached-config';
import { createSeenFlag } from '@/shared/account/seen-flag';
import { Button } from '@/ui/controls/Button';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { isUnasked, support } from './browser';
import styles from './PushCard.module.css';

const dismissed = createSeenFlag('push');

/**
 * Offers notices while the app is not open to who has put a plan and was not asked yet. The
 * browser's own question is asked on the page that it leads to, after another press.
 */
export function PushCard() {
  const { t } = useTranslation();
  const config = useCachedConfig();
  const put = dismissed.use();
  const offered = config?.push_key && (isUnasked() || support() === 'install');
  // If the dismissal cannot be stored, the card would come back for ever.
  if (!offered || put !== false) return null;
  return (
    <Card title={t('me.push.cardTitle')}>
      <p className="intro">{t('me.push.cardText')}</p>
      <div className={styles.buttons}>
        <LinkButton size="small" variant="secondary" to="/me/push">
          {t('me.push.cardGo')}
        </LinkButton>
        <Button size="small" variant="quiet" onClick={dismissed.note}>
          {t('me.push.cardLater')}
        </Button>
      </div>
    </Card>
  );
}
