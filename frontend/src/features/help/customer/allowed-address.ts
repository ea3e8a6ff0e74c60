import type { Contact } from '@/api/types';
import { IN_APP_CONTACT_TYPE } from '@/shared/config/constants';

/**
 * The address if it may be framed, or null. A link to this page is easy to forge. So only https and
 * exactly the origin of an in-app contact are allowed, and never our own, which would let the frame
 * act as the app.
 */
export function allowedAddress(given: string | null, contacts: Contact[]): string | null {
  // Browsers skip these characters when they look for the host, and people misread them.
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
  // URL.canParse() is newer than some of the browsers served.
  try {
    return url ? new URL(url) : null;
  } catch {
    return null;
  }
}
