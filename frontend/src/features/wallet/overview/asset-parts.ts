import type { Property } from '@/api/types';

/** The parts of the total besides available funds; some are shown only if they are not zero. */
export function assetParts(property: Property) {
  return [
    { key: 'toBeConsumed', amount: property.to_be_consumed, always: true },
    { key: 'toBeSettled', amount: property.to_be_settled, always: true },
    { key: 'withdrawing', amount: property.withdrawing, always: true },
    { key: 'exchanging', amount: property.exchanging, always: false },
    { key: 'deposit', amount: property.deposit, always: false },
  ] as const;
}
