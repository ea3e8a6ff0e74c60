import type { Query } from './contract/endpoints';
import type { components } from './openapi';

/**
 * Names for what the server answers with, for who passes it on or shows it. A call needs none: it
 * knows its answer by its path. Every shape and every list of values is the server's own.
 */
type Schemas = components['schemas'];

/** The server always sends nullable fields, although they are not `required` in the document. */
export type Sent<T> = T extends (infer Item)[]
  ? Sent<Item>[]
  : T extends object
    ? { [K in keyof T]-?: Sent<Exclude<T[K], undefined>> }
    : T;
type Of<Name extends keyof Schemas> = Sent<Schemas[Name]>;

export type Contact = Of<'Contact'>;
export type User = Of<'UserView'>;
export type Signed = Of<'SignedIn'>;
export type ClientLanguage = Of<'LanguageSource'>;
export type Currency = Of<'Currency'>;
export type WithdrawMethod = Of<'WithdrawMethod'>;
export type BasicConfig = Of<'BasicConfig'>;

export type StatisticsPoint = Of<'Point'>;
export type Statistics = Of<'Overview'>;

export type ContentType = Of<'ContentType'>;
export type Targeting = Of<'Targeting'>;
export type Creative = Of<'Creative'>;
export type Product = Of<'Product'>;

export type PlanStatus = Of<'PlanStatus'>;
export type Plan = Of<'PlanView'>;
export type PlanDetail = Of<'PlanDetail'>;
export type Addable = Of<'AddableView'>;
export type AiDelivery = Of<'AiDelivery'>;
export type DeliverySource = Of<'DeliverySource'>;
export type DeliveryPlace = Of<'DeliveryPlace'>;
export type PlanEventKind = Of<'PlanEventKind'>;
export type PlanEvent = Of<'PlanEvent'>;
export type PlanEventDetail = Of<'PlanEventDetail'>;
export type EventBill = Of<'EventBill'>;
export type PlanSeries = Of<'PlanSeries'>;
export type PlanPoint = Of<'PlanPoint'>;

export type PublisherInfo = Of<'PublisherInfo'>;
export type PublisherFigures = Of<'PublisherFigures'>;
export type PublisherCounts = Of<'PublisherCounts'>;
export type PublisherStatement = Of<'PublisherStatement'>;

export type ClaimLink = Of<'ClaimLink'>;
export type ClaimedKey = Of<'ClaimedKey'>;

export type NotificationCategoryFilter = Of<'NotificationCategoryFilter'>;
export type NotificationReadFilter = Of<'NotificationReadFilter'>;
export type Notification = Of<'NotificationView'>;

export type Message = Of<'Message'>;
export type Conversation = Of<'Conversation'>;

export type Recharge = Of<'Recharge'>;
export type RechargeForm = Of<'RechargeForm'>;
export type RechargeAnnouncement = Of<'RechargeAnnouncement'>;
export type PayInAccount = Of<'PayInAccount'>;

export type Property = Of<'Property'>;
export type FlowKind = Of<'FlowKind'>;
export type Flow = Of<'Flow'>;
export type FlowSum = Of<'FlowSum'>;
export type FlowPage = Of<'StatementPage'>;
export type FlowMonth = Of<'FlowMonth'>;
export type FlowDirection = NonNullable<Query<'GET', '/transaction_flow/by_day'>['direction']>;
export type StatementFormat = Query<'GET', '/transaction_flow/export'>['format'];
export type FlowDays = Of<'DaysPage'>;
export type FlowRow = Of<'FlowRow'>;
export type FlowPlan = Of<'FlowPlan'>;
export type DayBilling = Of<'DayBilling'>;
export type Withdrawal = Of<'Withdrawal'>;
export type BankCard = Of<'BankCard'>;

export type UploadedFile = Of<'File'>;

export type Coupon = Of<'Coupon'>;
export type CouponStatus = Of<'CouponStatus'>;
export type Activity = Of<'Activity'>;
export type QuotedCoupon = Of<'QuotedCoupon'>;
export type Quote = Of<'Quote'>;

export type CreditChange = Of<'CreditChange'>;
export type Level = Of<'Level'>;

export type Question = Of<'Question'>;

export type Followable = Of<'Followable'>;
export type Following = Of<'Following'>;
export type FollowRecord = Of<'FollowView'>;
export type OwnId = Of<'OwnId'>;

export type SignedInDevice = Of<'SessionView'>;

export type AcceptorType = Of<'AcceptorType'>;
export type AcceptorRate = Of<'AcceptorRate'>;
export type AcceptorDetail = Of<'AcceptorDetail'>;
export type AcceptorOrder = Of<'AcceptorOrder'>;
