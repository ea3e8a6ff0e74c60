import { serverNow } from '@/api/server-clock';
import { formatShortTime } from '@/i18n/format';

/** By when a day's rest is billed, which is 23:45 UTC on every server, on the reader's clock. */
export function billedBy(now = serverNow()): string {
  const at = new Date(now);
  at.setUTCHours(23, 45, 0, 0);
  return formatShortTime(at);
}
