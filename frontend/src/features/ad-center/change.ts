import { formatShare } from '@/i18n/format';

/**
 * How much more or less than before, such as +12%; null where there was nothing before, since
 * any growth from nothing is endless.
 */
export function changeOf(now: string | number, before: string | number | undefined) {
  const [present, past] = [Number(now), Number(before ?? 0)];
  return past > 0 ? formatShare(present / past - 1) : null;
}
