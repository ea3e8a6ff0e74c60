import type { ParseKeys } from 'i18next';

/** What is wrong with an email address; the browser knows the rules that the server applies too. */
export function emailProblem(text: string): ParseKeys | null {
  if (!text.trim()) return 'fields.required';
  const input = document.createElement('input');
  input.type = 'email';
  input.value = text.trim();
  const wellFormed = input.validity.valid && /@[^@]+\.[^@]+$/.test(text.trim());
  return wellFormed ? null : 'fields.invalid_email';
}

/**
 * What is wrong with a phone number. The rules of all countries load when they are needed; without
 * them the server decides alone.
 */
export async function phoneProblem(text: string): Promise<ParseKeys | null> {
  if (!text.trim()) return 'fields.required';
  const rules = await import('libphonenumber-js/min').catch(() => null);
  if (!rules) return null;
  return rules.isValidPhoneNumber(text.trim()) ? null : 'fields.invalid_phone';
}
