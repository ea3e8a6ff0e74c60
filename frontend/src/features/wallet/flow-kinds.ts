import type { FlowKind } from '@/api/types';
import type { IconName } from '@/ui/Icon';

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
