import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '@/api/contract/endpoints';
import type { Plan } from '@/api/types';
import { showToast } from '@/ui/feedback/toast-store';
import { showToastWithAction } from '@/ui/feedback/toast-with-action';
import { useSteering } from '../mutations';
import type { Steer } from './SteerButton';

/** Steers at once, and offers to take it back in place of a question before. */
export function useSteer(): Steer {
  const { t } = useTranslation();
  const { mutateAsync } = useSteering();
  const show = useShowSteered();
  return useCallback(
    async ({ id }, control) => {
      const back = control === 'pause' ? 'resume' : 'pause';
      const takeBack = async () => {
        show(await mutateAsync({ id, control: back }));
        showToast(t(`plans.control.${back}Done`), 'success');
      };
      show(await mutateAsync({ id, control }));
      showToastWithAction(t(`plans.control.${control}Done`), {
        label: t('plans.control.undo'),
        // A failure has been said by the call.
        run: () => void takeBack().catch(() => {}),
      });
    },
    [mutateAsync, show, t],
  );
}

type Pages = InfiniteData<Answer<'GET', '/plan/order/list'>>;

/** Puts a plan as the server answered it into the lists, before all of their pages are read again. */
function useShowSteered() {
  const client = useQueryClient();
  return useCallback(
    (steered: Plan) => {
      const shown = (pages: Pages | undefined) => pages && withPlan(pages, steered);
      for (const list of ['list', 'found'] as const) {
        client.setQueriesData<Pages>({ queryKey: ['plans', list] }, shown);
      }
    },
    [client],
  );
}

function withPlan({ pages, ...rest }: Pages, plan: Plan): Pages {
  const replace = (page: Pages['pages'][number]) => ({
    ...page,
    items: page.items.map((item) => (item.id === plan.id ? { ...item, ...plan } : item)),
  });
  return { ...rest, pages: pages.map(replace) };
}
