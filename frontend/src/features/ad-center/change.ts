import { formatShare } from '@/i18n/format';

/**
 * The relative change, such as +12%; null if there was nothing before, because growth from nothing
 * is infinite.
 */
export function changeOf(now: string | number, before: string | number | undefined) {
  const [present, past] = [Number(now), Number(before ?? 0)];
  return past > 0 ? formatShare(present / past - 1) : null;
}
