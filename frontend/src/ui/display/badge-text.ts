import { UNREAD_BADGE_MAX } from '@/ui/constants';

export function badgeText(count: number): string {
  return count > UNREAD_BADGE_MAX ? `${UNREAD_BADGE_MAX}+` : String(count);
}
