import type { EventBill, PlanEvent, PlanEventDetail, PlanPoint, PlanSeries } from '@/api/types';

export const anEvent: PlanEvent = {
  id: '903',
  kind: 'impression',
  time: '2026-11-20T09:00:05Z',
  slot: { key: 'news-top', publisher: 'The Daily' },
  device: 'mobile',
  content_type: 'video',
  price: '0.00240',
  payout: null,
  counted: true,
  reason: null,
  reversed_at: null,
};

/** 640 at 0.0024 are 1.536; with 0.006 from before and without 0.002 they are 1.54. */
export const aBill: EventBill = {
  time: '2026-11-20T09:00:20Z',
  amount: '1.54',
  events: 640,
  price: '0.00240',
  cost: '1.53600',
  carried_in: '0.00600',
  carried_out: '0.00200',
  lines: [
    { id: '71', time: '2026-11-20T09:00:20Z', amount: '-0.50', paid_by: 'promotional' },
    { id: '72', time: '2026-11-20T09:00:20Z', amount: '-1.04', paid_by: 'available' },
  ],
  parts: [
    {
      name: 'The Daily Example',
      domain: 'daily.example',
      exchange: false,
      billed: '1.20',
      publisher: '0.60',
      platform: '0.60',
    },
    {
      name: 'North',
      domain: null,
      exchange: true,
      billed: '0.34',
      publisher: '0.30',
      platform: '0.04',
    },
  ],
  other_parts: 0,
};

export const anEventDetail: PlanEventDetail = {
  ...anEvent,
  plan_no: 'P7KQ2M9XRT',
  product_name: 'Aurora Coffee',
  data_source: 'simulated',
  filter_version: 2,
  click_id: null,
  event_id: null,
  occurred_at: null,
  settles_at: '2026-11-28T09:00:00Z',
  settled_at: null,
  related: [{ id: '905', kind: 'click', time: '2026-11-20T09:00:09Z' }],
  billing: 'billed',
  bill_at: null,
  bill: aBill,
};

const aDay: PlanPoint = {
  at: '2026-11-19T08:00:00Z',
  until: '2026-11-20T08:00:00Z',
  impressions: 12_400,
  clicks: 310,
  conversions: 9,
  filtered: 41,
  consumed: '29.76',
  billed: '29.76',
  platform_paid: '20.00',
  revenue: '27.90',
  fee: '1.39',
  profit: '16.75',
  corrected: false,
};

/** Two days in Los Angeles. */
export const aSeries: PlanSeries = {
  points: [
    aDay,
    {
      ...aDay,
      at: '2026-11-20T08:00:00Z',
      until: '2026-11-21T08:00:00Z',
      impressions: 13_000,
      consumed: '31.20',
      billed: '31.20',
      platform_paid: '0.00',
      profit: '-4.69',
    },
  ],
};
