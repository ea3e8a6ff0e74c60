import { useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { PlanStatus } from '@/api/types';

const underWay: readonly PlanStatus[] = [
  'matching',
  'putting',
  'put_finished',
  'waiting_settlement',
];
/** The most that the server returns at once. */
const most = '100';

/** The plans that hold money or wait for settlement; `more` if there are others. */
export function usePlansUnderWay() {
  return useQuery({
    queryKey: ['plans', 'under-way'],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        underWay.map((status) =>
          call('GET', '/plan/order/list', {
            query: { status, limit: most },
            signal,
            inline: ['network'],
          }),
        ),
      );
      return {
        plans: pages.flatMap(({ items }) => items),
        more: pages.some((page) => page.next_cursor !== null),
      };
    },
  });
}
