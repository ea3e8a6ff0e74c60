import { serverNow } from '@/api/server-clock';
import type { User } from '@/api/types';

/** The end of the account's VIP status by the server's clock, or null. */
export function vipUntil({ vip_until: until }: User): string | null {
  return until && Date.parse(until) > serverNow() ? until : null;
}
