import { serverNow } from '@/api/server-clock';
import type { User } from '@/api/types';

/** Until when the account is VIP, or null: it ends by the server's clock. */
export function vipUntil({ vip_until: until }: User): string | null {
  return until && Date.parse(until) > serverNow() ? until : null;
}
