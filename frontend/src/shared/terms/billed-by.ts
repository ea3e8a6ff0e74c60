import { serverNow } from '@/api/server-clock';
import { formatShortTime } from '@/i18n/format';

/**
 * The time by which a day's rest is billed, on the reader's clock. It is 23:45 UTC on every server.
 */
export function billedBy(now = serverNow()): string {
  const at = new Date(now);
  at.setUTCHours(23, 45, 0, 0);
  return formatShortTime(at);
}
