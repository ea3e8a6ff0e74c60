import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';

type Place = Pick<Body<'/plan/placement/exclude'>, 'slot' | 'site'>;

/** `all` stands for all plans of the user. */
export type Scope = 'plan' | 'all';

export type Exclusion = { place: Place; scope: Scope; step: 'exclude' | 'include' };

/** Shows a plan, or all of them, in a place no longer, or again. */
export function useExclusion(id: string) {
  const set = ({ place, scope, step }: Exclusion) =>
    call('POST', `/plan/placement/${step}`, { body: scope === 'plan' ? { id, ...place } : place });
  return useInvalidatingMutation('steerPlan', set, { awaitRefetch: true });
}
