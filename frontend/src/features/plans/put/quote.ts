import { useQuery, useQueryClient } from '@tanstack/react-query';
import { invalidateAfter } from '@/api/queries/invalidate';
import { readQuery } from '@/api/queries/read';
import { moneyRefusals } from '@/shared/money/RefusalNotice';
import { useDebounced } from '@/ui/use-debounced';
import type { PutTarget } from '../mutations';

const typingMs = 300;

const quoteOptions = (target: PutTarget, amount: string) =>
  readQuery(['quote', target, amount], 'POST', '/plan/order/quote', {
    body: { ...target, amount },
    inline: moneyRefusals,
  });

/** The price of putting the amount. `amount` is null while there is none. */
export function useQuote(target: PutTarget, amount: string | null) {
  const client = useQueryClient();
  const debounced = useDebounced(amount, typingMs);
  const { data, error, isFetching } = useQuery({
    ...quoteOptions(target, debounced ?? ''),
    enabled: debounced !== null,
  });
  // A quote for another amount than the one on screen would show a wrong price.
  const current = debounced === amount;
  return {
    quote: (current && data) || null,
    error: current ? error : null,
    loading: amount !== null && (!current || isFetching),
    /** Fetches a quote for users who press the button before the price arrives. */
    ask: (asked: string) => client.fetchQuery(quoteOptions(target, asked)),
    /** A coupon was refused, so all cached quotes may be wrong. */
    forget: () => invalidateAfter(client, 'couponRefused'),
  };
}
