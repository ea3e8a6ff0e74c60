import type { TFunction } from 'i18next';
import type { PlanEvent } from '@/api/types';

/** `The Daily · news-top`, or the user's own link. */
export function placeName({ slot }: PlanEvent, t: TFunction): string {
  return slot ? `${slot.publisher} · ${slot.key}` : t('plans.events.ownLink');
}

/** The kind of device. Nothing else is stored about it. */
export function deviceName({ device }: PlanEvent, t: TFunction): string {
  return device ? t(`plans.events.device.${device}`) : t('plans.events.device.unknown');
}

/** Why it does not count; null if it does. */
export function notCountedReason(event: PlanEvent, t: TFunction): string | null {
  if (event.reversed_at) return t('plans.events.takenBack');
  return event.counted || !event.reason ? null : t(`plans.events.reason.${event.reason}`);
}
