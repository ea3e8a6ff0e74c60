import type { Query } from './contract/endpoints';
import type * as Server from './openapi';

/*
 * Names for what the server answers with, for who passes it on or shows it. A call needs none: it
 * knows its answer by its path. Every shape and every list of values is the server's own.
 */
export type * from './openapi';

/* The types for which the app has a clearer name. */
export type User = Server.UserView;
export type Signed = Server.SignedIn;
export type ClientLanguage = Server.LanguageSource;
export type StatisticsPoint = Server.Point;
export type Statistics = Server.Overview;
/** The server's view of the public log. */
export type LogState = Server.PublicLogView;
export type Plan = Server.PlanView;
export type PlanSort = NonNullable<Query<'GET', '/plan/order/list'>['sort']>;
export type SortOrder = NonNullable<Query<'GET', '/plan/order/list'>['order']>;
export type ScheduleRequest = Server.ScheduleFields;
export type Addable = Server.AddableView;
export type Notification = Server.NotificationView;
export type FlowDirection = NonNullable<Query<'GET', '/transaction_flow/by_day'>['direction']>;
export type StatementFormat = Query<'GET', '/transaction_flow/export'>['format'];
export type UploadedFile = Server.File;
export type FollowRecord = Server.FollowView;
export type SignedInDevice = Server.SessionView;
