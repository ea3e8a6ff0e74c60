import type { ApiError } from '@/api/errors';
import { onOtherSession, session } from '@/api/session';
import { createStore } from '@/external-store';

/**
 * The codes of barred accounts: not activated, disabled, cancelled. The account may do nothing
 * until customer service has acted.
 */
const codes = [402, 403, 404];

const refusal = createStore<ApiError | null>(null);

onOtherSession(() => refusal.set(null));

export const barred = {
  get: refusal.get,
  /**
   * Returns whether the user was told already. A refused login does not bar: it can be tried again.
   */
  note(error: ApiError): boolean {
    if (!codes.includes(error.code) || !session.get().token) return false;
    const told = refusal.get() !== null;
    refusal.set(error);
    return told;
  },
  /** The account may act again. */
  lift: () => refusal.set(null),
};

export const useBarred = refusal.use;
