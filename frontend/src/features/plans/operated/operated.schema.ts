import type { ParseKeys } from 'i18next';

/** Nobody follows nobody, whom one follows already, or oneself. */
export function checkFollowId(
  typed: string,
  taken: readonly (string | null | undefined)[],
): ParseKeys | null {
  // The server takes an id in either case.
  const id = typed.trim().toUpperCase();
  if (!id) return 'operated.required';
  return taken.some((one) => one?.toUpperCase() === id) ? 'operated.invalid' : null;
}
