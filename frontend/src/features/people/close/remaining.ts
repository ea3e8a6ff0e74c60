import type { Property } from '@/api/types';
import { isPositive } from '@/ui/money/decimal';

/** What prevents closing an account, and where it is settled. */
const owed = [
  ['available', 'wallet.available', '/wallet/withdraw'],
  ['to_be_consumed', 'wallet.toBeConsumed', '/plan'],
  ['to_be_settled', 'wallet.toBeSettled', '/plan'],
  ['withdrawing', 'wallet.withdrawing', '/wallet/withdraw'],
  ['exchanging', 'wallet.exchanging', '/wallet/foreign-exchange'],
  ['deposit', 'wallet.deposit', '/wallet'],
  ['startup_outstanding', 'me.close.startup', '/wallet'],
] as const satisfies readonly (readonly [keyof Property, string, string])[];

export function remainingOf(property: Property) {
  return owed
    .map(([key, label, to]) => ({ key, label, to, amount: property[key] }))
    .filter(({ amount }) => isPositive(amount));
}
