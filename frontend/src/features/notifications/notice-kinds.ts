import type { ParseKeys } from 'i18next';
import type { Notification } from '@/api/types';
import { type Place, planPath } from '@/pages';
import { flowPath } from '@/shared/money/flow-path';
import type { IconName } from '@/ui/display/Icon';

type Look = {
  icon: IconName;
  tone: 'info' | 'good' | 'bad' | 'care';
  /** The page that shows what it tells of, and the link's words. */
  way?: { to: Place; text: ParseKeys };
};

const byCategory = {
  system_announcement: { icon: 'message', tone: 'info' },
  system_maintenance: { icon: 'warning', tone: 'care' },
  activity: { icon: 'gift', tone: 'good' },
} as const;

const conversation = { to: '/customer', text: 'app.notifications.toConversation' } as const;
const recharges = { to: '/wallet/recharge', text: 'app.notifications.toRecharges' } as const;
const withdrawals = { to: '/wallet/withdraw', text: 'app.notifications.toWithdrawals' } as const;
const exchanges = {
  to: '/wallet/foreign-exchange',
  text: 'app.notifications.toExchanges',
} as const;
const coupons = { to: '/ad-center/coupons', text: 'app.notifications.toCoupons' } as const;
const level = { to: '/ad-center/level', text: 'app.notifications.toLevel' } as const;
const sessions = { to: '/me/sessions', text: 'app.notifications.toSessions' } as const;
const card = { to: '/wallet/bind-card', text: 'app.notifications.toCard' } as const;
const funding = (kind: Parameters<typeof flowPath>[0]['kind']) => ({
  to: flowPath(kind ? { kind } : {}),
  text: 'app.notifications.toFunding' as const,
});

/**
 * The looks by the server's kinds of personal notices. A kind that it adds later looks like its
 * category.
 */
const byKind: Record<string, Look> = {
  coupon_received: { icon: 'coupon', tone: 'good', way: coupons },
  coupon_granted: { icon: 'coupon', tone: 'good', way: coupons },
  vip_subscribed: { icon: 'star', tone: 'good', way: level },
  level_reached: { icon: 'star', tone: 'good', way: level },
  promotion_granted: { icon: 'gift', tone: 'good', way: funding('coupon') },
  promotion_revoked: { icon: 'gift', tone: 'care', way: funding('coupon') },
  exchange_put: { icon: 'globe', tone: 'info', way: exchanges },
  exchange_completed: { icon: 'globe', tone: 'good', way: exchanges },
  exchange_cancelled: { icon: 'globe', tone: 'care', way: exchanges },
  recharge_credited: { icon: 'arrow-down', tone: 'good', way: recharges },
  recharge_rejected: { icon: 'arrow-down', tone: 'bad', way: recharges },
  recharge_expired: { icon: 'arrow-down', tone: 'care', way: recharges },
  chargeback: { icon: 'arrow-up', tone: 'bad', way: funding('system_chargeback') },
  chargeback_due: { icon: 'warning', tone: 'bad' },
  chargeback_collected: { icon: 'arrow-up', tone: 'info', way: funding('system_chargeback') },
  chargeback_waived: { icon: 'check', tone: 'good' },
  plan_offered: { icon: 'plans', tone: 'info' },
  plan_followed: { icon: 'users', tone: 'info' },
  plan_putting: { icon: 'play', tone: 'good' },
  plan_failed: { icon: 'plans', tone: 'bad' },
  plan_rejected: { icon: 'plans', tone: 'bad' },
  plan_finished: { icon: 'stop', tone: 'info' },
  plan_waiting_settlement: { icon: 'calendar', tone: 'info' },
  delivery_refunded: { icon: 'arrow-down', tone: 'good', way: funding('refund') },
  rule_budget_used: { icon: 'warning', tone: 'care' },
  rule_conversion_cost: { icon: 'warning', tone: 'care' },
  rule_no_conversion: { icon: 'warning', tone: 'care' },
  rule_loss: { icon: 'warning', tone: 'care' },
  rule_not_shown: { icon: 'warning', tone: 'care' },
  paused_budget_used: { icon: 'pause', tone: 'care' },
  paused_conversion_cost: { icon: 'pause', tone: 'care' },
  paused_no_conversion: { icon: 'pause', tone: 'care' },
  paused_loss: { icon: 'pause', tone: 'care' },
  paused_not_shown: { icon: 'pause', tone: 'care' },
  plan_settled: { icon: 'check', tone: 'good' },
  withdrawal_approved: { icon: 'arrow-up', tone: 'info', way: withdrawals },
  withdrawal_paid: { icon: 'arrow-up', tone: 'good', way: withdrawals },
  withdrawal_rejected: { icon: 'arrow-up', tone: 'bad', way: withdrawals },
  startup_advanced: { icon: 'wallet', tone: 'good', way: funding('startup_funds') },
  startup_returned: { icon: 'wallet', tone: 'info', way: funding('startup_funds') },
  store_opened: { icon: 'check', tone: 'good' },
  account_activated: { icon: 'user', tone: 'good' },
  account_disabled: { icon: 'user', tone: 'bad' },
  password_changed: { icon: 'lock', tone: 'care', way: sessions },
  password_reset_allowed: { icon: 'lock', tone: 'care', way: sessions },
  password_reset: { icon: 'lock', tone: 'care', way: sessions },
  pay_password_set: { icon: 'lock', tone: 'good' },
  pay_password_changed: { icon: 'lock', tone: 'care', way: sessions },
  pay_password_locked: { icon: 'lock', tone: 'bad', way: sessions },
  pay_password_reset: { icon: 'lock', tone: 'care' },
  bank_card_changed: { icon: 'bank', tone: 'care', way: card },
  payouts_held: { icon: 'shield', tone: 'care', way: withdrawals },
  new_device: { icon: 'device', tone: 'care', way: sessions },
  staff_entered: { icon: 'headset', tone: 'care', way: sessions },
  email_changed: { icon: 'user', tone: 'care', way: sessions },
  phone_changed: { icon: 'user', tone: 'care', way: sessions },
  service_answered: { icon: 'message', tone: 'info', way: conversation },
  feedback_answered: { icon: 'message', tone: 'info' },
};

/** How a notice looks, and where it leads. */
export function lookOf({ kind, plan_id, category }: Notification): Look {
  const look = (kind && byKind[kind]) || byCategory[category];
  if (!plan_id) return look;
  return { ...look, way: { to: planPath(plan_id), text: 'app.notifications.toPlan' } };
}
