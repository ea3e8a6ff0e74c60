/** Names and shapes of the contract. The one place API types are imported from. */

export type Lang = string;
export type Page<T> = { items: T[]; next_cursor: string | null };
export type DataSource = 'live' | 'simulated';

export type Contact = { id: string; type: number; url: string; label: string };

export type User = {
  id: string;
  username: string;
  nickname: string | null;
  email: string;
  phone: string;
  avatar: string | null;
  lang: Lang;
  entry: 'register' | 'app';
  status: string;
  store_opened: boolean;
  operated_id: string | null;
  credit_score: number;
  level: number;
  vip_until: string | null;
  deposit: string;
  customer_service_url: Contact[];
  recharge_customer_service_url: Contact[];
};

export type Signed = { token: string; user: User };

export type ClientLanguage = { source: string; targets: string };
export type LanguageList = {
  languages: { lang: Lang; description: string }[];
  client_language_map: ClientLanguage[];
};

export type Currency = { code: string; decimals: number; symbol: string };

export type WithdrawMethod = {
  method: 'bank_card' | 'wallet_address';
  label: string;
  networks: string[];
  /** A share such as `0.01`; absent where withdrawing costs nothing. */
  fee_rate?: string;
};

export type BasicConfig = {
  client_language_map: ClientLanguage[];
  customer_service_url: Contact[];
  recharge_customer_service_url: Contact[];
  withdraw_method_config: WithdrawMethod[];
  faq_config: { id: string; question: string; answer: string }[];
  currency: Currency;
  data_source: DataSource;
  vip: { price: string; days: number; benefits: string[] };
};

export type Registration = {
  username: string;
  password: string;
  confirm_password: string;
  email: string;
  phone: string;
  license_key: string;
  lang?: Lang;
};

export type StatisticsPoint = {
  at: string;
  consumed: string;
  revenue: string;
  impressions: number;
  clicks: number;
};

export type Statistics = {
  invested: string;
  orders: number;
  consumed: string;
  to_be_consumed: string;
  impressions: number;
  clicks: number;
  revenue: string;
  profit: string;
  series: StatisticsPoint[];
  data_source: DataSource;
  updated_at: string;
};

export type ContentType = 'video' | 'landing_page' | 'game_description';
export type Targeting = {
  regions: string[];
  languages: string[];
  devices: string[];
  interests: string[];
};
export type Creative = { title: string; text: string; image: string; video: string | null };
export type PutRule = { pricing: 'cpm' | 'cpc'; price: string; days: number };

export type Product = {
  id: string;
  name: string;
  summary: string;
  image: string | null;
  min_put: string;
  max_put: string;
  content_types: ContentType[];
  content: Partial<Record<ContentType, Creative | null>>;
  targeting: Targeting;
  put_rule: PutRule;
  payout: { per: 'conversion'; amount: string };
  attribution_days: number;
  fee_rate: string;
};

export type PlanStatus =
  | 'waiting_to_put'
  | 'matching'
  | 'putting'
  | 'put_failed'
  | 'put_finished'
  | 'waiting_settlement'
  | 'settled';

export type CouponKind = 'fixed_amount' | 'value_add' | 'deduction' | 'team' | 'custom';
export type Coupon = {
  id: string;
  name: string;
  kind: CouponKind;
  effect: 'discount' | 'deduction' | 'addition';
  value: string;
  min_amount: string;
  expires_at: string;
  status: 'unused' | 'used' | 'expired';
};

export type Plan = {
  id: string;
  plan_no: string;
  product: Product;
  put_amount: string;
  paid_amount: string;
  coupon: Coupon | null;
  progress: number;
  status: PlanStatus;
  /** Why it stands there, such as `no_supply`. */
  reason: string;
  paused: boolean;
  content: Creative | null;
  content_type: ContentType | null;
  put_rule: PutRule;
  targeting: Targeting;
  game_description: string | null;
  official: boolean;
  ai_delivery: boolean;
  consumed: string;
  /** What accepted conversions pay before the fee; pending until settled. */
  revenue: string;
  /** Taken at settlement. */
  fee: string;
  /** What went back unspent. */
  returned: string;
  created_at: string;
  put_at: string | null;
  started_at: string | null;
  finished_at: string | null;
  /** When the attribution window closes and settlement follows. */
  settles_at: string | null;
  settled_at: string | null;
};

export type PlanDetail = Plan & {
  timeline: { status: PlanStatus; reason: string; at: string }[];
  delivery: {
    impressions: number;
    clicks: number;
    conversions: number;
    /** Counted, never billed. */
    filtered: number;
    consumed: string;
    revenue: string;
  };
  tracking: { landing_url: string; click_url: string; pixel_url: string; postback_url: string };
};

export type NotificationCategory = 'system_announcement' | 'system_maintenance' | 'activity';
export type Notification = {
  id: string;
  category: NotificationCategory;
  title: string;
  body: string;
  read: boolean;
  created_at: string;
};
export type UnreadCount = { unread_total: number };

export type Property = {
  total_assets: string;
  available: string;
  to_be_consumed: string;
  to_be_settled: string;
  withdrawing: string;
  deposit: string;
  promotional: string;
  exchanging: string;
  startup_outstanding: string;
  pay_password_set: boolean;
  bank_card_bound: boolean;
};

export type FlowKind =
  | 'system_top_up'
  | 'manual_withdrawal'
  | 'ad_billing'
  | 'ad_serving'
  | 'system_chargeback'
  | 'virtual_recharge_deduction'
  | 'vip_subscription'
  | 'profit_sharing'
  | 'settlement'
  | 'exchange'
  | 'refund'
  | 'coupon'
  | 'deposit'
  | 'startup_funds';

export type Flow = {
  id: string;
  time: string;
  amount: string;
  balance: string;
  kind: FlowKind;
  remark: string | null;
  ref: { type: string; id: string } | null;
  /** Where the amount moved; `held` is what a plan holds. */
  account: string;
};
export type FlowPage = Page<Flow> & {
  months: { month: string; income: string; expense: string }[];
};

export type Withdrawal = {
  id: string;
  amount: string;
  fee: string;
  status: 'pending' | 'approved' | 'paid' | 'rejected';
  requested_at: string;
  decided_at: string | null;
  reason: string | null;
};

export type BankCard =
  | {
      method: 'bank_card';
      card_name: string;
      user_name: string;
      mobile: string;
      bank_name: string;
      bank_account: string;
      branch_name: string;
      beneficiary_name?: string | null;
      bank_address?: string | null;
    }
  | { method: 'wallet_address'; network: string; address: string };
