import type { QueryClient } from '@tanstack/react-query';
import type { QueryName } from './keys';

/** Balances, the lines that explain them, and what an amount of them would cost. */
const money = ['property', 'flow', 'quote'] as const;

/**
 * The queries that each change makes stale. A page that shows one of them fetches it again at once.
 */
const staleAfter = {
  putPlan: ['plans', 'statistics', ...money, 'coupons', 'notifications'],
  addBudget: ['plans', 'statistics', ...money],
  steerPlan: ['plans', 'statistics', ...money, 'notifications'],
  follow: ['assistance'],
  withdraw: [...money, 'withdrawals'],
  cancelWithdrawal: [...money, 'withdrawals'],
  /** Staff decided on it, as the list of withdrawals showed. */
  withdrawalDecided: [...money, 'notifications'],
  moveDeposit: [...money, 'user-info', 'level', 'credit'],
  returnStartup: [...money, 'notifications'],
  putExchange: [...money, 'exchanges', 'notifications'],
  cancelExchange: [...money, 'exchanges', 'notifications'],
  exchangeDecided: [...money, 'notifications'],
  rechargeDecided: [...money, 'recharges', 'notifications'],
  announcePayment: ['recharges'],
  bindCard: ['bank-card', 'property', 'notifications'],
  setPassword: ['property', 'notifications'],
  subscribeVip: [...money, 'user-info', 'level', 'notifications'],
  receiveCoupon: ['activities', 'coupons', 'quote', 'notifications'],
  /** A coupon was refused, so that every price with one may be wrong. */
  couponRefused: ['coupons', 'quote'],
  openStore: ['products', 'activities', 'coupons', 'notifications'],
  saveProfile: ['property', 'notifications'],
  endSessions: ['sessions'],
  registerDevice: ['sessions'],
  sendMessage: ['conversation'],
} as const satisfies Record<string, readonly QueryName[]>;

export type Change = keyof typeof staleAfter;

/** The cast is needed because there are too many names for the compiler to compare one by one. */
const startOf = (name: QueryName) => [name] as { [N in QueryName]: readonly [N] }[QueryName];

let countNotices = () => {};

/** Sets what counts the notices that are unread again, as the bell shows them. */
export function onNewNotices(count: () => void) {
  countNotices = count;
}

/** Resolves once what is on screen is current, so that a form never uses old figures. */
export function invalidateAfter(client: QueryClient, change: Change) {
  const names: readonly QueryName[] = staleAfter[change];
  if (names.includes('notifications')) countNotices();
  return Promise.all(names.map((name) => client.invalidateQueries({ queryKey: startOf(name) })));
}
