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

/** As the server takes it: 5 to 15 digits, with or without a country's code and separators. */
const phone = /^\+?(?=(?:\D*\d){5,15}\D*$)[\d ()-]{5,24}$/;

/** What is wrong with a phone number: one rule for everybody who asks for one. */
export function phoneProblem(text: string): ParseKeys | null {
  if (!text.trim()) return 'fields.required';
  return phone.test(text.trim()) ? null : 'fields.invalid_phone';
}
