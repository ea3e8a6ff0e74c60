import type { Contact } from '@/api/types';

/**
 * The address as it may be framed, or null. A link to this page is easy to forge, so only https and
 * exactly the origin of a published contact pass, and never our own, which a frame could act as.
 */
export function allowedAddress(given: string | null, contacts: Contact[]): string | null {
  const address = parse(given);
  if (address?.protocol !== 'https:' || address.username || address.password) return null;
  if (address.origin === window.location.origin) return null;
  const known = contacts.some((contact) => parse(contact.url)?.origin === address.origin);
  return known ? address.href : null;
}

function parse(url: string | null): URL | null {
  return url && URL.canParse(url) ? new URL(url) : null;
}
