import type { PlanDetail } from '@/api/types';
import { TargetingCard } from '../TargetingCard';
import { PlanTermsCard } from './PlanTermsCard';
import { TrackingCard } from './TrackingCard';

/** The plan's terms and audience, and its own links once there are any. */
export function PlanBought({ plan }: { plan: PlanDetail }) {
  return (
    <>
      <PlanTermsCard plan={plan} />
      <TargetingCard targeting={plan.targeting} />
      {plan.status !== 'waiting_to_put' && <TrackingCard tracking={plan.tracking} />}
    </>
  );
}
