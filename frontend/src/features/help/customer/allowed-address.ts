import type { Contact } from '@/api/types';
import { IN_APP_CONTACT_TYPE } from '@/shared/config/constants';

/**
 * The address as it may be framed, or null. A link to this page is easy to forge, so only https and
 * exactly the origin of a contact that opens in the app pass, and never our own, which a frame
 * could act as.
 */
export function allowedAddress(given: string | null, contacts: Contact[]): string | null {
  // Browsers read over these while they look for the host, and people read them wrongly.
  if (given && /[\\\s\p{Cc}]/u.test(given)) return null;
  const address = parse(given);
  if (address?.protocol !== 'https:' || address.username || address.password) return null;
  if (address.origin === window.location.origin) return null;
  const known = contacts.some(
    ({ type, url }) => type === IN_APP_CONTACT_TYPE && parse(url)?.origin === address.origin,
  );
  return known ? address.href : null;
}

function parse(url: string | null): URL | null {
  return url && URL.canParse(url) ? new URL(url) : null;
}
