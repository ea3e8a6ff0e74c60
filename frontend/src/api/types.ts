import type { Query } from './contract/endpoints';
import type { components } from './openapi';

/**
 * Names for what the server answers with, for who passes it on or shows it. A call needs none: it
 * knows its answer by its path. Every shape and every list of values is the server's own.
 */
type Schemas = components['schemas'];

export type Contact = Schemas['Contact'];
export type User = Schemas['UserView'];
export type Signed = Schemas['SignedIn'];
export type ClientLanguage = Schemas['LanguageSource'];
export type Currency = Schemas['Currency'];
export type WithdrawMethod = Schemas['WithdrawMethod'];
export type BasicConfig = Schemas['BasicConfig'];

export type StatisticsPoint = Schemas['Point'];
export type Statistics = Schemas['Overview'];
/** What the public log's server says of it. */
export type LogState = Schemas['PublicLogView'];

export type Report = Schemas['Report'];
export type ReportRow = Schemas['ReportRow'];
export type ReportFigures = Schemas['ReportFigures'];
export type ReportBy = Schemas['ReportBy'];

export type ContentType = Schemas['ContentType'];
export type Targeting = Schemas['Targeting'];
export type Creative = Schemas['Creative'];
export type Product = Schemas['Product'];

export type PlanStatus = Schemas['PlanStatus'];
export type Plan = Schemas['PlanView'];
export type ListedPlan = Schemas['ListedPlan'];
export type PlanSort = NonNullable<Query<'GET', '/plan/order/list'>['sort']>;
export type SortOrder = NonNullable<Query<'GET', '/plan/order/list'>['order']>;
export type Compared = Schemas['Compared'];
export type PlanRule = Schemas['PlanRule'];
export type PlanDetail = Schemas['PlanDetail'];
export type ScheduleRequest = Schemas['ScheduleFields'];
export type Addable = Schemas['AddableView'];
export type AiDelivery = Schemas['AiDelivery'];
export type VideoFigures = Schemas['VideoFigures'];
export type DeliverySource = Schemas['DeliverySource'];
export type DeliveryPlace = Schemas['DeliveryPlace'];
export type PlanEventKind = Schemas['PlanEventKind'];
export type PlanEvent = Schemas['PlanEvent'];
export type PlanEventDetail = Schemas['PlanEventDetail'];
export type EventBill = Schemas['EventBill'];
export type PlanSeries = Schemas['PlanSeries'];
export type PlanPoint = Schemas['PlanPoint'];

export type PublisherInfo = Schemas['PublisherInfo'];
export type PublisherFigures = Schemas['PublisherFigures'];
export type PublisherCounts = Schemas['PublisherCounts'];
export type PublisherStatement = Schemas['PublisherStatement'];

export type ClaimLink = Schemas['ClaimLink'];
export type ClaimedKey = Schemas['ClaimedKey'];

export type NotificationCategoryFilter = Schemas['NotificationCategoryFilter'];
export type NotificationReadFilter = Schemas['NotificationReadFilter'];
export type Notification = Schemas['NotificationView'];
export type PushDevice = Schemas['PushDevice'];

export type Message = Schemas['Message'];
export type Conversation = Schemas['Conversation'];

export type Recharge = Schemas['Recharge'];
export type RechargeForm = Schemas['RechargeForm'];
export type RechargeAnnouncement = Schemas['RechargeAnnouncement'];
export type PayInAccount = Schemas['PayInAccount'];

export type Property = Schemas['Property'];
export type FlowKind = Schemas['FlowKind'];
export type Flow = Schemas['Flow'];
export type FlowSum = Schemas['FlowSum'];
export type FlowPage = Schemas['StatementPage'];
export type FlowMonth = Schemas['FlowMonth'];
export type FlowDirection = NonNullable<Query<'GET', '/transaction_flow/by_day'>['direction']>;
export type StatementFormat = Query<'GET', '/transaction_flow/export'>['format'];
export type FlowDays = Schemas['DaysPage'];
export type FlowRow = Schemas['FlowRow'];
export type FlowPlan = Schemas['FlowPlan'];
export type DayBilling = Schemas['DayBilling'];
export type Withdrawal = Schemas['Withdrawal'];
export type BankCard = Schemas['BankCard'];

export type UploadedFile = Schemas['File'];

export type Coupon = Schemas['Coupon'];
export type CouponStatus = Schemas['CouponStatus'];
export type Activity = Schemas['Activity'];
export type QuotedCoupon = Schemas['QuotedCoupon'];
export type Quote = Schemas['Quote'];

export type CreditChange = Schemas['CreditChange'];
export type Level = Schemas['Level'];

export type Question = Schemas['Question'];

export type Followable = Schemas['Followable'];
export type Following = Schemas['Following'];
export type FollowRecord = Schemas['FollowView'];
export type OwnId = Schemas['OwnId'];

export type SignedInDevice = Schemas['SessionView'];

export type AcceptorType = Schemas['AcceptorType'];
export type AcceptorRate = Schemas['AcceptorRate'];
export type AcceptorDetail = Schemas['AcceptorDetail'];
export type AcceptorOrder = Schemas['AcceptorOrder'];
