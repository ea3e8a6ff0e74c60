import type { Flow, FlowKind, FlowPlan } from '@/api/types';
import { type Place, planPath } from '@/pages';
import { chargedPath } from '@/shared/money/events-path';
import type { IconName } from '@/ui/display/Icon';

export const flowKinds: Record<FlowKind, IconName> = {
  system_top_up: 'arrow-down',
  manual_withdrawal: 'arrow-up',
  ad_serving: 'plans',
  ad_billing: 'chart',
  settlement: 'check',
  profit_sharing: 'shield',
  refund: 'reload',
  virtual_recharge_deduction: 'gift',
  coupon: 'gift',
  system_chargeback: 'warning',
  vip_subscription: 'star',
  exchange: 'globe',
  deposit: 'lock',
  startup_funds: 'wallet',
};

export const flowKindNames = Object.keys(flowKinds) as FlowKind[];

/** The page about a line's subject, if the app has one. */
export function wayTo(flow: Flow, plan: FlowPlan | null): { name: WayName; to: Place } | null {
  const { type, id } = flow.ref;
  // The events that it was given back for.
  if (type === 'delivery_refund') return plan && { name: type, to: chargedPath(plan, flow.id) };
  if (!hasPage(type)) return null;
  return { name: type, to: ways[type](id) };
}

const ways = {
  plan: planPath,
  withdrawal: () => '/wallet/withdraw',
  exchange: () => '/wallet/foreign-exchange',
  deposit: () => '/wallet/deposit',
  vip: () => '/ad-center/level',
} satisfies Record<string, (id: string) => Place>;

type WayName = keyof typeof ways | 'delivery_refund';

function hasPage(type: Flow['ref']['type']): type is keyof typeof ways {
  return type in ways;
}
