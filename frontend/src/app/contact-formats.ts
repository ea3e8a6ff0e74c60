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

/** The rules of all countries. Asked for before they are needed, they are there when they are. */
export function loadPhoneRules() {
  return import('libphonenumber-js/min').catch(() => null);
}

/** What is wrong with a phone number; without the rules the server decides alone. */
export async function phoneProblem(text: string): Promise<ParseKeys | null> {
  if (!text.trim()) return 'fields.required';
  const rules = await loadPhoneRules();
  if (!rules) return null;
  return rules.isValidPhoneNumber(text.trim()) ? null : 'fields.invalid_phone';
}
