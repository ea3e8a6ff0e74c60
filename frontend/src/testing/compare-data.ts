import type { Compared } from '@/api/types';
import { aPlan, aProductToPut } from './money-data';

/** A plan's figures beside those of others. */
export const aComparedPlan: Compared = {
  product: { id: aProductToPut.id, name: aProductToPut.name },
  plan: { id: aPlan.id, plan_no: aPlan.plan_no, status: aPlan.status, paused: aPlan.paused },
  plans: 1,
  delivery: aPlan.delivery,
  ratios: aPlan.ratios,
  trend: ['-20.00', '60.00', '119.81'],
};

/** Of a product on which nothing was put. */
export const noResults: Compared = {
  ...aComparedPlan,
  plan: null,
  plans: 0,
  delivery: {
    impressions: 0,
    clicks: 0,
    conversions: 0,
    filtered: 0,
    viewable: 0,
    consumed: '0.00',
    revenue: '0.00',
  },
  ratios: {
    click_rate: null,
    viewable_rate: null,
    cost_per_click: null,
    cost_per_conversion: null,
    own_cost_per_click: null,
    own_cost_per_conversion: null,
    profit: '0.00',
    return_on_spend: null,
  },
  trend: [],
};
