import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, NetworkError } from '@/api/errors';
import { activitiesQuery } from '@/api/queries/use-activities';
import { networkText } from '@/api/status-text';
import type { Activity } from '@/api/types';
import { Button } from '@/ui/controls/Button';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { Icon } from '@/ui/display/Icon';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { OffersPicture } from '@/ui/illustrations/OffersPicture';
import { CouponTicket } from '@/ui/money/CouponTicket';
import styles from './ActivitiesPage.module.css';
import { useReceive } from './mutations';

export function ActivitiesPage() {
  const { t } = useTranslation();
  const activities = useQuery(activitiesQuery());
  return (
    <div className={styles.page}>
      {!activities.data && <Unanswered of={activities} meanwhile={<CardSkeleton lines={4} />} />}
      {activities.data?.length === 0 && (
        <EmptyState
          picture={<OffersPicture />}
          title={t('offers.noActivities')}
          description={t('offers.noActivitiesHint')}
          action={<LinkButton to="/ad-center/coupons">{t('offers.seeCoupons')}</LinkButton>}
        />
      )}
      {Boolean(activities.data?.length) && <p className="intro">{t('offers.activitiesAbout')}</p>}
      {activities.data?.map((activity) => (
        <ActivityCard key={activity.key} activity={activity} />
      ))}
    </div>
  );
}

function ActivityCard({ activity }: { activity: Activity }) {
  const { t } = useTranslation();
  const receive = useReceive(activity.key);
  const received = activity.received || receive.isSuccess;
  const onReceive = () =>
    receive.mutate(undefined, { onSuccess: () => showToast(t('offers.receivedNow'), 'success') });
  return (
    <Card title={activity.title}>
      <div className={styles.coupon}>
        <CouponTicket coupon={activity.coupon} />
      </div>
      {received ? (
        <>
          <p className={styles.received} role="status">
            <Icon name="check" size={20} />
            {t('offers.received')}
          </p>
          <LinkButton to="/ad-center/coupons" variant="secondary">
            {t('offers.seeCoupons')}
          </LinkButton>
        </>
      ) : (
        <>
          <ReceiveRefusal error={receive.error} />
          <Button icon="gift" loading={receive.isPending} onClick={onReceive}>
            {t('offers.receive')}
          </Button>
        </>
      )}
      <section className={styles.rules}>
        <h3 className={styles.rulesTitle}>{t('offers.rules')}</h3>
        <ul className={styles.list}>
          {activity.rules.split('\n').map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </section>
    </Card>
  );
}

function ReceiveRefusal({ error }: { error: Error | null }) {
  const { t } = useTranslation();
  if (error instanceof NetworkError) {
    return (
      <Notice tone="warning" urgent>
        {networkText(error, t, 'offers.receiveLost')}
      </Notice>
    );
  }
  if (!(error instanceof ApiError) || error.code !== 405) return null;
  const open = error.error === 'store_not_opened' && (
    <LinkButton to="/ad-welcome" size="small" variant="secondary">
      {t('ui.wayOpenStore')}
    </LinkButton>
  );
  return (
    <Notice tone="negative" urgent action={open}>
      {error.msg}
    </Notice>
  );
}
