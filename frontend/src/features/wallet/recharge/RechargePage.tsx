import { useTranslation } from 'react-i18next';
import { useCurrency } from '@/shared/config/known-config';
import { Refreshable } from '@/shared/page/Refreshable';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { FlowPicture } from '@/ui/illustrations/FlowPicture';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import { useRecharges } from './queries';
import styles from './RechargePage.module.css';
import { RechargeRow } from './RechargeRow';

/** How a recharge is made, and what became of each. */
export function RechargePage() {
  const { t } = useTranslation();
  const currency = useCurrency();
  const recharges = useRecharges();
  return (
    <Refreshable>
      <div className={styles.page}>
        <Card>
          <p className={styles.intro}>{t('wallet.recharges.intro')}</p>
          <Button icon="headset" onClick={() => openCustomerService({ recharge: true })}>
            {t('wallet.recharges.ask')}
          </Button>
        </Card>
        <Card title={t('wallet.recharges.title')}>
          <InfiniteList
            query={recharges}
            label={t('wallet.recharges.title')}
            keyOf={(one) => one.id}
            renderItem={(one) => <RechargeRow recharge={one} currency={currency} />}
            empty={
              <EmptyState
                picture={<FlowPicture />}
                title={t('wallet.recharges.none')}
                description={t('wallet.recharges.noneHint')}
              />
            }
          />
        </Card>
      </div>
    </Refreshable>
  );
}
