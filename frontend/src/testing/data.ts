import type { BasicConfig, Notification, Product, Statistics, User } from '@/api/types';

export const aUser: User = {
  id: 'u1',
  username: 'lena',
  nickname: 'Lena Vogt',
  email: 'lena@example.com',
  phone: '+49 170 1234567',
  avatar: null,
  lang: 'en',
  entry: 'register',
  status: 'active',
  store_opened: true,
  operated_id: null,
  credit_score: 86,
  level: 3,
  vip_until: null,
  deposit: '250.00',
  customer_service_url: [],
  recharge_customer_service_url: [],
  session: null,
};

export const aConfig: BasicConfig = {
  client_language_map: [
    { source: 'en,en-GB', targets: 'en' },
    { source: 'zh,zh-CN', targets: 'zh' },
  ],
  customer_service_url: [
    { id: 'c1', type: 1, url: 'https://chat.example.com/room', label: 'Live chat' },
    { id: 'c2', type: 2, url: 'https://help.example.com/', label: 'Help desk' },
  ],
  recharge_customer_service_url: [
    { id: 'c3', type: 2, url: 'https://pay.example.com/', label: 'Recharges' },
  ],
  withdraw_method_config: [
    { method: 'bank_card', label: 'Bank card', networks: [], fee_rate: '0' },
  ],
  faq_config: [{ id: 'f1', question: 'Q', answer: 'A' }],
  currency: { code: 'USD', decimals: 2, symbol: '$' },
  data_source: 'live',
  vip: { price: '9.90', days: 30, benefits: [], fee_percent_off: 20 },
};

export const someStatistics: Statistics = {
  invested: '12500.00',
  orders: 18,
  consumed: '8412.37',
  platform_paid: '0.00',
  to_be_consumed: '4087.63',
  unbilled: '0.00',
  impressions: 1284530,
  clicks: 38211,
  revenue: '9731.84',
  pending: '120.50',
  profit: '-12.11',
  series: [
    {
      at: '2026-11-21T00:00:00Z',
      consumed: '1.00',
      platform_paid: '0.00',
      revenue: '2.00',
      impressions: 10,
      clicks: 1,
    },
    {
      at: '2026-11-21T01:00:00Z',
      consumed: '3.00',
      platform_paid: '0.00',
      revenue: '4.50',
      impressions: 30,
      clicks: 2,
    },
  ],
  previous: {
    invested: '10000.00',
    orders: 20,
    consumed: '0.00',
    platform_paid: '0.00',
    impressions: 642265,
    clicks: 38211,
    revenue: '9000.00',
    profit: '100.00',
    series: [
      {
        at: '2026-11-20T00:00:00Z',
        consumed: '0.50',
        platform_paid: '0.00',
        revenue: '1.50',
        impressions: 8,
        clicks: 1,
      },
      {
        at: '2026-11-20T01:00:00Z',
        consumed: '2.00',
        platform_paid: '0.00',
        revenue: '3.00',
        impressions: 20,
        clicks: 2,
      },
    ],
  },
  data_source: 'live',
  updated_at: '2026-11-21T05:00:00Z',
};

export const aProduct: Product = {
  id: 'p1',
  name: 'Aurora Coffee',
  summary: 'Coffee from the north',
  image: '/products/aurora-coffee.svg',
  min_put: '50.00',
  max_put: '5000.00',
  content_types: ['video'],
  content: { video: null, landing_page: null, game_description: null },
  targeting: { regions: [], languages: [], devices: [], interests: [] },
  put_rule: { pricing: 'cpm', price: '2.40', days: 14 },
  payout: { per: 'conversion', amount: '3.10' },
  attribution_days: 7,
  fee_rate: '0.05',
};

export const aNotification: Notification = {
  id: 'n1',
  category: 'system_announcement',
  title: 'Settlement shows its date',
  body: 'Each plan shows the day on which it settles.',
  read: false,
  created_at: '2026-11-21T03:10:00Z',
  kind: null,
  plan_id: null,
};
