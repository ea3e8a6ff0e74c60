import type { ContentType, Plan } from '@/api/types';
import type { Place } from '@/pages';
import { compareDecimals } from '@/ui/money/decimal';

/** The initial values of the form for a put. */
export type PutStart = { amount: string; content: ContentType | null; aiDelivery: boolean };

/** Whether a coupon's value is in the budget, though nobody typed it. */
const addsToBudget = { discount: false, deduction: false, addition: true } satisfies Record<
  NonNullable<Plan['coupon']>['effect'],
  boolean
>;

/** The product's page with the form of a put open, filled in as this plan was put. */
export function againPath(plan: Plan): Place {
  const added = plan.coupon && addsToBudget[plan.coupon.effect];
  const typed = added ? plan.paid_amount : plan.put_amount;
  const most = plan.product.max_put;
  return `/plan/goods-detail?${new URLSearchParams({
    id: plan.product.id,
    again: compareDecimals(typed, most) > 0 ? most : typed,
    ...(plan.content_type && { content: plan.content_type }),
    ...(plan.ai_delivery && { ai: '1' }),
  })}`;
}

const contents: readonly ContentType[] = ['video', 'landing_page', 'game_description'];

/** The initial values from the address; null if it has none. */
export function readAgain(search: URLSearchParams): PutStart | null {
  const amount = search.get('again');
  if (!amount || !/^\d{1,13}(\.\d{1,8})?$/.test(amount)) return null;
  const content = contents.find((known) => known === search.get('content')) ?? null;
  return { amount, content, aiDelivery: search.get('ai') === '1' };
}
