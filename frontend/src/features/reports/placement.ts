import type { Report, ReportRow } from '@/api/types';
import type { Place } from '@/shared/exclusions/use-exclusion';

/**
 * What can be excluded of a row: a publisher's slot, an exchange's site or app, or all of an exchange
 * that named none. The row's key is the number of the slot, and then what the exchange named, if it
 * did.
 */
export function placementOf(by: Report['by'], { key, name, detail }: ReportRow): Place | null {
  if (by !== 'placement') return null;
  const [, slot, source] = /^(\d+)(?: (.*))?$/.exec(key) ?? [];
  if (!slot) return null;
  if (source && source === name) return { site: source };
  return detail === null ? { exchange: name } : { slot: detail };
}
