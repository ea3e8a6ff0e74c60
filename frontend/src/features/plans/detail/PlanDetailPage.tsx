import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { isRefusal, NetworkError } from '@/api/errors';
import { networkText } from '@/api/status-text';
import type { PlanDetail } from '@/api/types';
import { Refreshable } from '@/shared/page/Refreshable';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { Notice } from '@/ui/feedback/Notice';
import { QueryFailed } from '@/ui/feedback/QueryFailed';
import { showToast } from '@/ui/feedback/toast-store';
import { AddBudget } from '../addition/AddBudget';
import { DayLimit } from '../day-limit/DayLimit';
import { NotFound } from '../NotFound';
import { ProductTerms } from '../put/ProductTerms';
import { PutForm } from '../put/PutForm';
import { againPath } from '../put/put-again';
import { usePlan } from '../queries';
import { Schedule } from '../schedule/Schedule';
import { PlanBought } from './PlanBought';
import { PlanControls } from './PlanControls';
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
        <Detail plan={plan.data} failure={plan.error} />
      </Refreshable>
    );
  }
  if (plan.isPending) return <CardSkeletons className={styles.page} lines={[3, 2, 4]} />;
  if (isRefusal(plan.error, 'not_found')) return <NotFound what="plan" />;
  return <QueryFailed of={plan} />;
}

function Detail({ plan, failure }: { plan: PlanDetail; failure: Error | null }) {
  const { t } = useTranslation();
  const offered = {
    ...plan.product,
    put_rule: plan.put_rule,
    targeting: plan.targeting,
    fee_rate: plan.fee_rate,
  };
  return (
    <div className={styles.page}>
      {failure instanceof NetworkError && (
        <Notice tone="warning">{networkText(failure, t, 'plans.stale')}</Notice>
      )}
      <PlanHeader plan={plan} />
      {plan.status === 'waiting_to_put' ? (
        <>
          <Card title={t('plans.put')}>
            <PutForm
              target={{ id: plan.id }}
              product={offered}
              onDone={() => showToast(t('plans.putDone'), 'success')}
            />
          </Card>
          <ProductTerms product={offered} />
          <PlanBought plan={plan} />
          <TimelineCard plan={plan} />
        </>
      ) : (
        <>
          <PlanControls plan={plan} />
          <AddBudget plan={plan} />
          <DayLimit plan={plan} />
          <Schedule plan={plan} />
          <PlanTabs plan={plan} />
          <LinkButton variant="secondary" to={againPath(plan)}>
            {t('plans.again')}
          </LinkButton>
        </>
      )}
    </div>
  );
}
