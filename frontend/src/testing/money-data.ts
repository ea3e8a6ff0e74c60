import type {
  AcceptorDetail,
  AcceptorOrder,
  Activity,
  BankCard,
  Coupon,
  Creative,
  DaysPage,
  Flow,
  FlowRow,
  Level,
  ListedPlan,
  PlanDetail,
  Product,
  Property,
  Quote,
  RechargeForm,
  StatementPage,
  Withdrawal,
} from '@/api/types';
import { aProduct } from './data';
import { atAllHours } from './schedule-data';

/** The hash of 123456, the transaction password of every test. */
export const rightHash = 'e10adc3949ba59abbe56e057f20f883e';

export const aCreative: Creative = {
  title: 'Wake up slowly',
  text: 'The first bag is on its way today.',
  image: '/products/aurora-coffee.svg',
  video: null,
};

export const aProductToPut: Product = {
  ...aProduct,
  content_types: ['video', 'landing_page'],
  content: {
    ...aProduct.content,
    video: aCreative,
    landing_page: { ...aCreative, title: 'Worth waking up for' },
  },
};

export const aPlan: PlanDetail = {
  id: '42',
  plan_no: 'P7KQ2M9XRT',
  product: aProductToPut,
  put_amount: '1250.00',
  paid_amount: '1200.00',
  added_amount: '0.00',
  coupon: null,
  progress: 64,
  status: 'putting',
  reason: 'first_delivery',
  paused: false,
  content: aCreative,
  content_type: 'video',
  put_rule: { pricing: 'cpm', price: '2.40', days: 14 },
  targeting: aProduct.targeting,
  game_description: null,
  official: false,
  origin: 'own',
  followed_id: null,
  ai_delivery: false,
  consumed: '803.14',
  billed: '803.14',
  platform_paid: '50.00',
  to_be_consumed: '446.86',
  refunded: '0.00',
  unbilled: '0.00',
  bill_at: null,
  revenue: '961.00',
  fee: '0.00',
  fee_rate: '0.05',
  profit: '159.81',
  return_on_spend: '0.212191',
  daily_cap: null,
  consumed_today: '57.12',
  day_ends_at: '2026-11-27T23:00:00Z',
  ...atAllHours,
  settled_profit: '0.00',
  returned: '0.00',
  created_at: '2026-11-10T09:00:00Z',
  put_at: '2026-11-11T09:00:00Z',
  started_at: '2026-11-12T09:00:00Z',
  finished_at: null,
  settles_at: '2026-11-28T09:00:00Z',
  settled_at: null,
  ai: null,
  video: null,
  timeline: [
    { status: 'matching', reason: 'put', at: '2026-11-11T09:00:00Z' },
    { status: 'putting', reason: 'first_delivery', at: '2026-11-12T09:00:00Z' },
  ],
  delivery: {
    impressions: 334642,
    clicks: 9821,
    conversions: 310,
    filtered: 1204,
    viewable: 210824,
    consumed: '803.14',
    revenue: '961.00',
  },
  ratios: {
    click_rate: '0.029348',
    viewable_rate: '0.630000',
    cost_per_click: '0.08178',
    cost_per_conversion: '2.59077',
    own_cost_per_click: '0.07669',
    own_cost_per_conversion: '2.42948',
    profit: '159.81',
    return_on_spend: '0.212191',
  },
  sources: [],
  exclusions: [],
  rules: [],
  due_at: '2026-11-26T09:00:00Z',
  payout: aProductToPut.payout,
  addable: { min: '50.00', max: '3750.00' },
  tracking: {
    landing_url: 'https://placard.test/l/abc',
    click_url: 'https://placard.test/t/c/abc',
    pixel_url: 'https://placard.test/t/i/abc.gif',
    postback_url: 'https://placard.test/t/postback',
  },
};

/** The plan as the list has it. */
export const aListedPlan: ListedPlan = {
  ...aPlan,
  conversions: 27,
  trend: ['-40.00', '120.00', '79.81'],
};

export const anOffer: PlanDetail = {
  ...aPlan,
  status: 'waiting_to_put',
  addable: null,
  reason: 'offered',
  official: true,
  origin: 'official',
  progress: 0,
  put_amount: '0.00',
  paid_amount: '0.00',
  consumed: '0.00',
  billed: '0.00',
  platform_paid: '0.00',
  profit: '0.00',
  return_on_spend: null,
  consumed_today: '0.00',
  to_be_consumed: '0.00',
  unbilled: '0.00',
  revenue: '0.00',
  content: null,
  content_type: null,
  timeline: [{ status: 'waiting_to_put', reason: 'offered', at: '2026-11-10T09:00:00Z' }],
};

/** The offer as the list has it. */
export const aListedOffer: ListedPlan = { ...anOffer, conversions: 0, trend: [] };

export const aProperty: Property = {
  total_assets: '12846.37',
  available: '10000.00',
  to_be_consumed: '1496.86',
  unbilled: '0.00',
  to_be_settled: '961.00',
  settlement_fees: '48.05',
  withdrawing: '388.51',
  deposit: '0.00',
  promotional: '50.00',
  exchanging: '0.00',
  startup_outstanding: '0.00',
  pay_password_set: true,
  bank_card_bound: true,
  payouts_held_until: null,
};

export const aFlow: Flow = {
  id: 'f1',
  time: '2026-11-20T18:24:00Z',
  amount: '-1250.00',
  balance: '8750.00',
  kind: 'ad_serving',
  remark: 'P7KQ2M9XRT',
  ref: { type: 'plan', id: '42' },
  account: 'available',
  source: null,
  added: false,
};

export const aFlowRow: FlowRow = {
  id: 'f1',
  time: '2026-11-20T18:24:00Z',
  plan: { id: '42', number: 'P7KQ2M9XRT', product: 'Aurora Coffee', pricing: 'cpm' },
  line: aFlow,
  billing: null,
};

/** A day of billing, of which a coupon paid a part. */
export const aBilledDay: FlowRow = {
  ...aFlowRow,
  id: '2026-11-19-42',
  time: '2026-11-19T21:00:00Z',
  line: null,
  billing: {
    amount: '-61.05',
    own: '-56.05',
    promotional: '0.00',
    coupon: '-5.00',
    lines: 5760,
    from: '2026-11-19T08:00:00Z',
    until: '2026-11-20T08:00:00Z',
  },
};

export const aStatement: StatementPage = {
  items: [aFlow],
  next_cursor: null,
  months: [
    {
      month: '2026-11',
      income: '6934.86',
      expense: '1737.09',
      refunds: '634.86',
      net_income: '6300.00',
      net_expense: '1102.23',
    },
    {
      month: '2026-10',
      income: '4100.00',
      expense: '3900.00',
      refunds: '0.00',
      net_income: '4100.00',
      net_expense: '3900.00',
    },
  ],
  sum: null,
};

export const aDaysPage: DaysPage = {
  ...aStatement,
  items: [aFlowRow],
  choices: {
    first_month: '2026-10',
    kinds: ['system_top_up', 'ad_billing', 'ad_serving', 'settlement', 'refund'],
    latest_months: aStatement.months,
  },
};

export const aBankCard: Extract<BankCard, { method: 'bank_card' }> = {
  method: 'bank_card',
  card_name: 'Everyday',
  user_name: 'Lena Vogt',
  mobile: '+49 170 1234567',
  bank_name: 'North Bank',
  bank_account: '************6789',
  branch_name: 'Hamburg',
  beneficiary_name: null,
  bank_address: null,
};

export const aTronAddress = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

export const someMethods = [
  { method: 'bank_card', label: 'Bank account', networks: [], fee_rate: '0.01' },
  {
    method: 'wallet_address',
    label: 'Wallet address',
    networks: ['TRC20', 'ERC20'],
    fee_rate: '0',
  },
] as const;

export const aWithdrawal: Withdrawal = {
  id: 'w1',
  amount: '100.00',
  fee: '1.00',
  status: 'pending',
  requested_at: '2026-11-21T05:00:00Z',
  decided_at: null,
  reason: '',
};

export const aCoupon: Coupon = {
  id: 'k1',
  name: 'Newcomer 10',
  kind: 'custom',
  effect: 'discount',
  value: '0.10',
  max_value: '50.00',
  min_amount: '100.00',
  operated_id: null,
  received_at: '2026-11-21T09:00:00Z',
  expires_at: '2026-12-21T09:00:00Z',
  used_at: null,
  plan_id: null,
  status: 'unused',
};

export const anActivity: Activity = {
  key: 'newcomer',
  title: 'Welcome',
  rules: 'Once for everybody.\nOne coupon of the same name a day.',
  coupon: aCoupon,
  received: false,
};

/** What putting `amount` costs, with one coupon that takes a tenth off amounts from 100. */
export function quoteOf(amount: string): Quote {
  const fits = Number(amount) >= 100;
  const pays = fits ? (Number(amount) * 0.9).toFixed(2) : amount;
  const coupon = {
    coupon: aCoupon,
    pays,
    budget: amount,
    available_pays: pays,
    promotional_pays: '0.00',
    affordable: true,
    applicable: fits,
    reason: fits ? null : ('coupon_not_applicable' as const),
  };
  return {
    ...quoteWithoutCoupons(amount),
    coupons: [coupon],
    best: fits ? aCoupon.id : null,
  };
}

export function quoteWithoutCoupons(amount: string): Quote {
  return {
    amount,
    available_pays: amount,
    promotional_pays: '0.00',
    affordable: true,
    fee_rate: '0.05',
    list_fee_rate: '0.05',
    coupons: [],
    best: null,
  };
}

export const aLevel: Level = {
  level: 2,
  name: 'Silver',
  credit_score: 101,
  credit_history: [
    {
      at: '2026-11-20T09:00:00Z',
      change: 2,
      reason: 'plan_settled',
      text: 'A plan was settled',
      score: 101,
      ref: { type: 'plan', id: '42' },
    },
    {
      at: '2026-11-19T09:00:00Z',
      change: -1,
      reason: 'chargeback',
      text: 'Money was taken back',
      score: 99,
      ref: { type: 'chargeback', id: '7' },
    },
  ],
  progress: { spent: '1250.00', next_at: '5000.00' },
  benefits: [],
  levels: [
    { level: 1, name: 'Bronze', from: '0.00', benefits: [] },
    { level: 2, name: 'Silver', from: '500.00', benefits: [] },
    { level: 3, name: 'Gold', from: '5000.00', benefits: ['2% less fee'] },
  ],
  credit_formula: {
    start: 100,
    lowest: 0,
    highest: 200,
    rules: [
      { reason: 'plan_settled', change: 2, text: 'A plan settles' },
      { reason: 'chargeback', change: -20, text: 'The provider takes money back' },
    ],
  },
};

export const anAcceptor: AcceptorDetail = {
  id: 'a1',
  name: 'Marisol Vega',
  type: 'personal',
  limit: '5000.00',
  daily_limit: '8000.00',
  left_today: '3000.00',
  currencies: ['EUR', 'JPY'],
  rates: [
    {
      quote_id: 'q1',
      currency: 'EUR',
      rate: '0.9215',
      decimals: 2,
      expires_at: '2026-11-21T12:05:00Z',
    },
    {
      quote_id: 'q2',
      currency: 'JPY',
      rate: '157.35',
      decimals: 0,
      expires_at: '2026-11-21T12:05:00Z',
    },
  ],
};

export const anExchange: AcceptorOrder = {
  id: 'x1',
  acceptor: anAcceptor,
  amount: '100.00',
  currency: 'EUR',
  rate: '0.9215',
  receives: '92.15',
  status: 'pending',
  created_at: '2026-11-21T12:01:00Z',
  accepted: false,
  cancellable: true,
  decided_at: null,
  reason: '',
};

/** As long as staff have not said where to pay. */
export const noRechargeForm: RechargeForm = {
  reference: 'RF097',
  accounts: [],
  announcements: [],
  most_open: 5,
};
