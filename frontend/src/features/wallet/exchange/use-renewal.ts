import type { AcceptorDetail } from '@/api/types';
import type { Entry } from './AcceptorForm';
import { useAcceptor } from './mutations';

/** Fetches the same acceptor's current rates. */
export function useRenewal({ type, code }: Entry, onRenewed: (acceptor: AcceptorDetail) => void) {
  const { mutate, isPending, error } = useAcceptor();
  const renew = (onDone: () => void) =>
    mutate(
      { type, code: code.trim() },
      {
        onSuccess: (acceptor) => {
          onRenewed(acceptor);
          onDone();
        },
      },
    );
  return { renew, isPending, error };
}
