import type { ParseKeys } from 'i18next';

/** The problem of an email address; the browser applies the same rules as the server. */
export function emailProblem(text: string): ParseKeys | null {
  if (!text.trim()) return 'fields.required';
  const input = document.createElement('input');
  input.type = 'email';
  input.value = text.trim();
  const wellFormed = input.validity.valid && /@[^@]+\.[^@]+$/.test(text.trim());
  return wellFormed ? null : 'fields.invalid_email';
}

/** As on the server: 5 to 15 digits, with or without a country code and separators. */
const phone = /^\+?(?=(?:\D*\d){5,15}\D*$)[\d ()-]{5,24}$/;

/** The problem of a phone number: one rule for all forms. */
export function phoneProblem(text: string): ParseKeys | null {
  if (!text.trim()) return 'fields.required';
  return phone.test(text.trim()) ? null : 'fields.invalid_phone';
}
