import type { AppLanguage } from '@/i18n/languages';
import type {
  AcceptorType,
  CouponStatus,
  FlowDirection,
  FlowKind,
  NotificationCategoryFilter,
  NotificationReadFilter,
  PlanEventKind,
  ReportBy,
} from '../types';

/**
 * The key of every query: the name of what is fetched, and its parameters. Fetching, reading and
 * invalidating use only these keys.
 */
type Key =
  | readonly ['acceptors', type: AcceptorType]
  | readonly ['activities', language: AppLanguage]
  | readonly ['assistance']
  | readonly ['bank-card']
  | readonly ['basic-config', language: AppLanguage]
  | readonly ['claim', link: string]
  | readonly ['conversation']
  | readonly ['conversation-picture', id: string]
  | readonly ['coupons', status: CouponStatus]
  | readonly ['credit', language: AppLanguage]
  | readonly ['exchanges']
  | Flow
  | readonly ['level', language: AppLanguage]
  | readonly ['notifications', category: NotificationCategoryFilter, state: NotificationReadFilter]
  | readonly ['plans', ...Plans]
  | readonly ['product', id: string]
  | readonly ['products']
  | readonly ['property']
  | readonly ['publisher', link: string, ...Publisher]
  | readonly ['quote', target: object, amount: string]
  | readonly ['recharges', 'all' | 'form' | 'waiting']
  | readonly ['report', by: ReportBy, from: string, to: string]
  | readonly ['sessions']
  | readonly ['sessions', 'push']
  | readonly ['statistics', period: string]
  | readonly ['user-info']
  | readonly ['withdrawals']
  | readonly ['withdrawals', 'pace'];

type Flow =
  | readonly [
      'flow',
      'by-day',
      month: string | null,
      kind: FlowKind | null,
      direction: FlowDirection | null,
      stretch: object | null,
      plan: string | null,
      search: string,
    ]
  | readonly ['flow', 'bills', plan: string, stretch: object];

type Plans =
  | ['compare', of: 'ids' | 'products', named: string]
  | ['detail', id: string]
  | ['event', plan: string, kind: PlanEventKind, id: string]
  | ['events', plan: string, kind: PlanEventKind, verdict: string, line: string | null]
  | ['found' | 'list', asked: object]
  | ['products']
  | ['results', product: string]
  | ['series', id: string, step: 'day' | 'hour', within: string | null]
  | ['top']
  | ['under-way']
  | ['waiting-count'];

type Publisher =
  | ['figures', from: string, until: string, slot: string | null]
  | ['info']
  | ['months']
  | ['slots']
  | ['statement', month: string];

/** The name of a query: the first part of its key. */
export type QueryName = Key[0];

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: Key;
  }
}
