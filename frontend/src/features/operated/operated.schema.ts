import type { ParseKeys } from 'i18next';

/** Nobody follows nobody, whom one follows already, or oneself. */
export function checkFollowId(
  typed: string,
  taken: readonly (string | null | undefined)[],
): ParseKeys | null {
  const id = typed.trim();
  if (!id) return 'operated.required';
  return taken.includes(id) ? 'operated.invalid' : null;
}
