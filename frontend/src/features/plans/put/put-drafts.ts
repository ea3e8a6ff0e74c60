import type { ContentType, Quote, ScheduleRequest } from '@/api/types';
import { createSessionMap } from '@/shared/forms/session-map';
import type { ScheduleValues } from '../schedule/ScheduleFields';
import type { CouponChoice, Price } from './put-price';

/** What the password confirms: the request to be sent, and the price that was shown. */
export type Order = {
  amount: string;
  content: ContentType;
  aiDelivery: boolean;
  schedule: ScheduleRequest | null;
  quote: Quote;
  price: Price;
};

export type Draft = {
  amount: string;
  content: ContentType | null;
  aiDelivery: boolean;
  /** Null for at once and at all hours. */
  schedule: ScheduleValues | null;
  choice: CouponChoice;
  /** Sent, with its outcome unknown: only exactly the same order may be sent again. */
  unanswered: Order | null;
};

/** By target: what was typed before the form was closed or left, for example to set a password first. */
export const drafts = createSessionMap<Draft>();
