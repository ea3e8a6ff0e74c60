import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { Coupon, CouponStatus } from '@/api/types';
import { type Place, planPath } from '@/pages';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Tabs } from '@/ui/controls/Tabs';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { CouponsPicture } from '@/ui/illustrations/CouponsPicture';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import { CouponTicket } from '@/ui/money/CouponTicket';
import styles from './CouponsPage.module.css';
import { couponStatuses, couponStatusOf, couponsQuery } from './queries';

export function CouponsPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const status = couponStatusOf(params);
  const coupons = useInfiniteQuery(couponsQuery(status));
  return (
    <div className={styles.page}>
      <Tabs
        label={t('offers.statuses')}
        tabs={couponStatuses.map((key) => ({ key, label: t(`offers.status.${key}`) }))}
        value={status}
        onChange={(key) => setParams(key === 'unused' ? {} : { tab: key }, { replace: true })}
      >
        <InfiniteList
          query={coupons}
          label={t('offers.coupons')}
          keyOf={(coupon) => coupon.id}
          renderItem={(coupon) => <Ticket coupon={coupon} />}
          skeleton={<CardSkeletons className={styles.loading} lines={[2, 2]} />}
          spaced
          empty={<Empty status={status} />}
        />
      </Tabs>
      {!coupons.isPending && <p className={styles.rule}>{t('offers.sameDay')}</p>}
    </div>
  );
}

function Ticket({ coupon }: { coupon: Coupon }) {
  const { t } = useTranslation();
  const link = (to: Place, text: string) => (
    <LinkButton to={to} variant="secondary">
      {text}
    </LinkButton>
  );
  let action = null;
  if (coupon.status === 'unused') {
    action = link(`/plan?coupon=${encodeURIComponent(coupon.id)}`, t('offers.use'));
  } else if (coupon.plan_id) {
    action = link(planPath(coupon.plan_id), t('offers.seePlan'));
  }
  return <CouponTicket coupon={coupon} action={action} />;
}

function Empty({ status }: { status: CouponStatus }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      picture={<CouponsPicture />}
      title={t(`offers.empty.${status}`)}
      description={t(`offers.emptyHint.${status}`)}
      action={
        status === 'unused' && (
          <LinkButton to="/ad-center/activities">{t('offers.seeActivities')}</LinkButton>
        )
      }
    />
  );
}
