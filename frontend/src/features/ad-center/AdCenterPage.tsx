import { useTranslation } from 'react-i18next';
import { useUserInfo } from '@/api/user';
import { Refreshable } from '@/shared/page/Refreshable';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { PlansPicture } from '@/ui/illustrations/PlansPicture';
import styles from './AdCenterPage.module.css';
import { Overview } from './Overview';
import { Recommended } from './Recommended';
import { ShopCard } from './ShopCard';
import { Shortcuts } from './Shortcuts';

export function AdCenterPage() {
  const { t } = useTranslation();
  const { data: user } = useUserInfo();
  if (!user) return null;
  return (
    <Refreshable>
      <div className={styles.page}>
        <ShopCard user={user} />
        {user.store_opened ? (
          <Overview />
        ) : (
          <Card>
            <EmptyState
              picture={<PlansPicture />}
              title={t('adCenter.closedTitle')}
              description={t('adCenter.closedText')}
              action={<LinkButton to="/ad-welcome">{t('adCenter.openAccount')}</LinkButton>}
            />
          </Card>
        )}
        <Shortcuts />
        <Recommended />
      </div>
    </Refreshable>
  );
}
