import type { components } from './openapi';

/**
 * The one place API types are imported from. Shapes come from the server's own document; what it
 * calls a string although only a few values occur is narrowed here to those of the contract.
 */
type Schemas = components['schemas'];

/** Serde leaves fields out of `required` that may be null, yet sends them always. */
type Sent<T> = { [K in keyof T]-?: Exclude<T[K], undefined> };
/** A field that the document does not know, or knows with another type, fails the type check. */
type Narrow<T, N extends { [K in keyof N]: K extends keyof T ? T[K] : never }> = Omit<
  Sent<T>,
  keyof N
> &
  N;

export type Page<T> = { items: T[]; next_cursor: string | null };
export type DataSource = 'live' | 'simulated';

export type Contact = Schemas['Contact'];
export type User = Narrow<Schemas['UserView'], { entry: 'register' | 'app' }>;
export type Signed = Narrow<Schemas['SignedIn'], { user: User }>;
export type ClientLanguage = Schemas['LanguageSource'];
export type Currency = Schemas['Currency'];
export type WithdrawMethod = Narrow<
  Schemas['WithdrawMethod'],
  { method: 'bank_card' | 'wallet_address' }
>;
/** What the picker of languages offers. */
export type Languages = Schemas['LanguageList'];
export type BasicConfig = Narrow<
  Schemas['BasicConfig'],
  { data_source: DataSource; withdraw_method_config: WithdrawMethod[] }
>;

export type StatisticsPoint = Schemas['Point'];
export type Statistics = Narrow<Schemas['Overview'], { data_source: DataSource }>;

export type ContentType = 'video' | 'landing_page' | 'game_description';
export type Targeting = Sent<Schemas['Targeting']>;
export type Creative = Sent<Schemas['Creative']>;
export type PutRule = Narrow<Schemas['PutRule'], { pricing: 'cpm' | 'cpc' }>;
export type Product = Narrow<
  Schemas['Product'],
  {
    content_types: ContentType[];
    content: Partial<Record<ContentType, Creative | null>>;
    targeting: Targeting;
    put_rule: PutRule;
  }
>;

export type PlanStatus =
  | 'waiting_to_put'
  | 'matching'
  | 'putting'
  | 'put_failed'
  | 'put_finished'
  | 'waiting_settlement'
  | 'settled';
type PlanFields = {
  product: Product;
  origin: 'own' | 'official' | 'followed';
  coupon: Coupon | null;
  status: PlanStatus;
  content: Creative | null;
  content_type: ContentType | null;
  put_rule: PutRule;
  targeting: Targeting;
};
export type Plan = Narrow<Schemas['PlanView'], PlanFields>;
export type PlanDetail = Plan & {
  timeline: Narrow<Schemas['TimelineEntry'], { status: PlanStatus }>[];
  delivery: Schemas['DeliveryFigures'];
  tracking: Schemas['Tracking'];
  /** `null` where it was not chosen. */
  ai?: AiDelivery | null;
};
type Arm = Narrow<Schemas['ArmFigures'], { creative: ContentType }>;
export type AiDelivery = Narrow<Schemas['AiDelivery'], { arms: Arm[] }>;

export type NotificationCategory = 'system_announcement' | 'system_maintenance' | 'activity';
export type Notification = Narrow<Schemas['NotificationView'], { category: NotificationCategory }>;
export type UnreadCount = Schemas['Unread'];

export type Property = Schemas['Property'];
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
export type Flow = Narrow<Schemas['Flow'], { kind: FlowKind }>;
export type FlowSum = Schemas['FlowSum'];
export type FlowPage = Page<Flow> & { months: Schemas['FlowMonth'][]; sum: FlowSum | null };
export type Withdrawal = Narrow<
  Schemas['Withdrawal'],
  { status: 'pending' | 'approved' | 'paid' | 'rejected' }
>;
export type Deposit = Schemas['Deposit'];
export type BankCard = Schemas['BankCard'];

export type UploadedFile = Schemas['File'];

type CouponFields = {
  kind: 'fixed_amount' | 'value_add' | 'deduction' | 'team' | 'custom';
  effect: 'discount' | 'deduction' | 'addition';
  status: 'unused' | 'used' | 'expired';
};
export type Coupon = Narrow<Schemas['Coupon'], CouponFields>;
export type CouponStatus = Coupon['status'];
export type Activity = Narrow<Schemas['Activity'], { coupon: Coupon }>;
export type QuotedCoupon = Narrow<Schemas['QuotedCoupon'], { coupon: Coupon }>;
export type Quote = Narrow<Schemas['Quote'], { coupons: QuotedCoupon[] }>;

export type CreditChange = Schemas['CreditChange'];
export type Level = Narrow<Schemas['Level'], { progress: Sent<Schemas['Progress']> }>;

export type Question = Schemas['Question'];

export type Following = Schemas['Following'];
export type FollowRecord = Sent<Schemas['FollowView']>;
export type OwnId = Schemas['OwnId'];
export type FollowPage = Page<FollowRecord> & { current: Following | null; own: OwnId | null };

export type SignedInDevice = Schemas['SessionView'];

export type AcceptorType = 'personal' | 'enterprise';
export type Acceptor = Narrow<Schemas['Acceptor'], { type: AcceptorType }>;
export type AcceptorRate = Schemas['AcceptorRate'];
export type AcceptorDetail = Narrow<Schemas['AcceptorDetail'], { type: AcceptorType }>;
export type AcceptorOrder = Narrow<
  Schemas['AcceptorOrder'],
  { acceptor: Acceptor; status: 'pending' | 'completed' | 'cancelled' }
>;
export type ExchangePage = Page<AcceptorOrder> & { current: AcceptorOrder | null };
