import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Refreshable } from '@/shared/page/Refreshable';
import { ProductsSheet } from '@/shared/products/ProductsSheet';
import { useChoosing } from '@/shared/products/use-choosing';
import { Button } from '@/ui/controls/Button';
import { Tabs } from '@/ui/controls/Tabs';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { PlansPicture } from '@/ui/illustrations/PlansPicture';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import { planStatuses, statusOf } from '../plan-status';
import { plansQuery, waitingCountQuery } from '../queries';
import { PlanCard } from './PlanCard';
import styles from './PlanListPage.module.css';

export function PlanListPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  // Users who come with a coupon want to use it.
  const coupon = params.get('coupon');
  const [choosing, setChoosing] = useChoosing(coupon !== null);
  const status = statusOf(params);
  const plans = useInfiniteQuery(plansQuery(status));
  const waiting = useQuery(waitingCountQuery).data?.count ?? 0;

  const tabs = [
    { key: 'all', label: t('plans.status.all') },
    ...planStatuses.map((key) => ({
      key,
      label: t(`plans.status.${key}`),
      badge: key === 'waiting_to_put' ? waiting : 0,
    })),
  ];
  const start = <Button onClick={() => setChoosing(true)}>{t('plans.start')}</Button>;
  return (
    <Refreshable>
      <div className={styles.page}>
        <Tabs
          label={t('plans.statuses')}
          variant="pills"
          tabs={tabs}
          value={status ?? 'all'}
          // Replaced, not added: the back arrow leads out of the list, not through its tabs.
          onChange={(key) => setParams(key === 'all' ? {} : { status: key }, { replace: true })}
        >
          <p className={styles.about}>{t(`plans.statusAbout.${status ?? 'all'}`)}</p>
          <InfiniteList
            query={plans}
            label={t('plans.list')}
            keyOf={(plan) => plan.id}
            renderItem={(plan) => <PlanCard plan={plan} />}
            skeleton={<CardSkeletons className={styles.loading} lines={[1, 1, 1]} />}
            spaced
            empty={
              <EmptyState
                picture={<PlansPicture />}
                title={status ? t('plans.emptyStatus') : t('plans.empty')}
                description={t('plans.emptyHint')}
                action={start}
              />
            }
          />
        </Tabs>
        {Boolean(plans.data?.pages[0]?.items.length) && (
          <div className={styles.start} data-bottom>
            {start}
          </div>
        )}
        <ProductsSheet open={choosing} coupon={coupon} onClose={() => setChoosing(false)} />
      </div>
    </Refreshable>
  );
}
