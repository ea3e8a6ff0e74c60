import { session } from './api/session';
import type { PageFile } from './app/routes';
import type { Place } from './pages';
import type { Navigate, useNavigate } from './shared/navigation/use-navigate';

/* As in api/contract/wrong-uses.test-d.ts. */
export const plan: Place = `/plan/detail?id=${encodeURIComponent('1')}`;
// @ts-expect-error -- no such page
export const plans: Place = '/plans';
// @ts-expect-error -- neither is this
export const detail: Place = `/plan/details?id=${encodeURIComponent('1')}`;

declare const navigate: ReturnType<typeof useNavigate>;
void navigate(-1);
void navigate('/plan', { replace: true });
// @ts-expect-error -- no such page
void navigate('/plans');

export const redirect: Parameters<typeof Navigate>[0] = { to: '/plan', replace: true };
// @ts-expect-error -- no such page
export const astray: Parameters<typeof Navigate>[0] = { to: '/plans' };
export const entrance: Place = session.get().signInPath;

export const page: PageFile = { MePage: () => null };
// @ts-expect-error -- nobody gives a page properties
export const row: PageFile = { PlanRow: ({ id }: { id: string }) => id };
