import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { isRefusal, NetworkError } from '@/api/errors';
import { networkText } from '@/api/status-text';
import type { Plan, PlanDetail } from '@/api/types';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { Refreshable } from '@/shared/page/Refreshable';
import { PushCard } from '@/shared/push/PushCard';
import { classNames } from '@/ui/class-names';
import { Button } from '@/ui/controls/Button';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { AddBudget } from '../addition/AddBudget';
import { Alerts } from '../alerts/Alerts';
import { DayLimit } from '../day-limit/DayLimit';
import { type Control, usePlanControl } from '../mutations';
import { NotFound } from '../NotFound';
import { isRunning } from '../plan-status';
import { ProductTerms } from '../put/ProductTerms';
import { PutForm } from '../put/PutForm';
import { againPath } from '../put/put-again';
import { usePlan } from '../queries';
import { Schedule } from '../schedule/Schedule';
import { PlanBought } from './PlanBought';
import styles from './PlanDetailPage.module.css';
import { PlanHeader } from './PlanHeader';
import { PlanTabs } from './PlanTabs';
import { TimelineCard } from './TimelineCard';

export function PlanDetailPage() {
  const [params] = useSearchParams();
  const plan = usePlan(params.get('id') ?? '');

  if (plan.data) {
    return (
      <Refreshable>
        {/* Form values and opened parts belong to one plan, so another plan in the address
           begins anew. */}
        <Detail key={plan.data.id} plan={plan.data} failure={plan.error} />
      </Refreshable>
    );
  }
  if (plan.isPending) return <CardSkeletons className={styles.page} lines={[3, 2, 4]} />;
  if (isRefusal(plan.error, 'not_found')) return <NotFound what="plan" />;
  return <Unanswered of={plan} />;
}

function Detail({ plan, failure }: { plan: PlanDetail; failure: Error | null }) {
  const { t } = useTranslation();
  const waiting = plan.status === 'waiting_to_put';
  const offered = {
    ...plan.product,
    put_rule: plan.put_rule,
    targeting: plan.targeting,
    fee_rate: plan.fee_rate,
  };
  return (
    <div className={styles.page}>
      <div className={styles.part}>
        {failure instanceof NetworkError && (
          <Notice tone="warning">{networkText(failure, t, 'plans.stale')}</Notice>
        )}
        <PlanHeader plan={plan} />
        {waiting ? (
          <Card title={t('plans.put')}>
            <PutForm
              target={{ id: plan.id }}
              product={offered}
              onDone={() => showToast(t('plans.putDone'), 'success')}
            />
          </Card>
        ) : (
          <>
            <PlanControls plan={plan} />
            <AddBudget plan={plan} />
            <PushCard />
            <Card className={styles.limits}>
              <DayLimit plan={plan} />
              <Schedule plan={plan} />
              <Alerts plan={plan} />
            </Card>
          </>
        )}
      </div>
      <div className={classNames(styles.part, styles.beside)}>
        {waiting ? (
          <>
            <ProductTerms product={offered} />
            <PlanBought plan={plan} />
            <TimelineCard plan={plan} />
          </>
        ) : (
          <PlanTabs plan={plan} />
        )}
      </div>
      {!waiting && (
        <LinkButton size="small" variant="secondary" to={againPath(plan)}>
          {t('plans.again')}
        </LinkButton>
      )}
    </div>
  );
}

/** Pause, resume and stop, each after a question that explains what happens to the money. */
function PlanControls({ plan }: { plan: Plan }) {
  const { t } = useTranslation();
  const control = usePlanControl(plan.id);
  const [asked, setAsked] = useState<Control | null>(null);
  if (!isRunning(plan)) return <RefusalNotice error={control.error} />;

  const confirm = () => {
    if (!asked) return;
    control.mutate(asked, {
      onSuccess: () => showToast(t(`plans.control.${asked}Done`), 'success'),
      onSettled: () => setAsked(null),
    });
  };
  const other = plan.paused ? 'resume' : 'pause';
  return (
    <>
      <RefusalNotice error={control.error} />
      <div className={styles.controls}>
        <Button
          size="small"
          variant="secondary"
          icon={plan.paused ? 'play' : 'pause'}
          onClick={() => setAsked(other)}
        >
          {t(`plans.control.${other}`)}
        </Button>
        <Button size="small" variant="secondary" icon="stop" onClick={() => setAsked('stop')}>
          {t('plans.control.stop')}
        </Button>
      </div>
      <ConfirmDialog
        open={asked !== null}
        title={t(`plans.control.${asked ?? 'pause'}Title`)}
        confirmLabel={t(`plans.control.${asked ?? 'pause'}`)}
        danger={asked === 'stop'}
        busy={control.isPending}
        onConfirm={confirm}
        onClose={() => setAsked(null)}
      >
        <p>{t(`plans.control.${asked ?? 'pause'}Text`)}</p>
      </ConfirmDialog>
    </>
  );
}
