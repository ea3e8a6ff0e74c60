import { serverDate } from '@/api/server-clock';
import type { FlowKind } from '@/api/types';
import type { Place } from '@/pages';
import { flowPath, monthOf } from '@/shared/money/flow-path';

/** Figures that need an explanation; those of the wallet add up to its total. */
export type Term =
  | 'available'
  | 'toBeConsumed'
  | 'toBeSettled'
  | 'withdrawing'
  | 'exchanging'
  | 'deposit'
  | 'feesDue'
  | 'promotional'
  | 'consumed';

type Way = { to: Place } & (
  | { kind: FlowKind }
  | { name: 'withdrawal' | 'exchange' | 'deposit' }
  | { all: true }
);

/** The lines or the page that a figure is the sum of, or that it goes to. */
export function wayBehind(term: Term): Way {
  const lines = (kind: FlowKind) => ({ to: flowPath({ kind }), kind });
  switch (term) {
    case 'available':
      return { to: flowPath({ month: monthOf(serverDate()) }), all: true };
    case 'toBeConsumed':
    case 'consumed':
      return lines('ad_billing');
    case 'toBeSettled':
      return lines('settlement');
    case 'feesDue':
      return lines('profit_sharing');
    case 'promotional':
      return lines('coupon');
    case 'withdrawing':
      return { to: '/wallet/withdraw', name: 'withdrawal' };
    case 'exchanging':
      return { to: '/wallet/foreign-exchange', name: 'exchange' };
    case 'deposit':
      return { to: '/wallet/deposit', name: 'deposit' };
  }
}
