import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';

/** A publisher's slot by its key, an exchange's site or app, or all of an exchange by its name. */
export type Placement = Pick<Body<'/plan/placement/exclude'>, 'slot' | 'site' | 'exchange'>;

/** A plan, or all plans of the user. */
export type Scope = { plan: string } | 'all';

type Exclusion = { place: Placement; scope: Scope; step: 'exclude' | 'include' };

/** Shows a plan, or all of them, in a place no longer, or again. */
export function useExclusion() {
  const set = ({ place, scope, step }: Exclusion) => {
    const concerned = scope === 'all' ? {} : { id: scope.plan };
    return call('POST', `/plan/placement/${step}`, { body: { ...concerned, ...place } });
  };
  return useInvalidatingMutation('steerPlan', set, { awaitRefetch: true });
}
