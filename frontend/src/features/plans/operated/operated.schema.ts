import type { ParseKeys } from 'i18next';

/** Refuses an empty id, one that is followed already, and one's own. */
export function checkFollowId(
  typed: string,
  taken: readonly (string | null | undefined)[],
): ParseKeys | null {
  // The server accepts an id in upper or lower case.
  const id = typed.trim().toUpperCase();
  if (!id) return 'operated.required';
  return taken.some((one) => one?.toUpperCase() === id) ? 'operated.invalid' : null;
}
