import { emailProblem, phoneProblem } from '@/shared/forms/contact-formats';
import type { Problems } from '@/shared/forms/use-form';
import { empty } from './auth.schema';

export const nothing = { username: '', email: '', phone: '', license_key: '' };
export const noPasswords = { password: '', confirm_password: '' };
export type RegisterValues = typeof nothing & typeof noPasswords;

export function checkRegister(values: RegisterValues): Problems<keyof RegisterValues> {
  const errors = empty(values);
  if (!errors.email && emailProblem(values.email)) errors.email = 'auth.badEmail';
  if (!errors.phone && phoneProblem(values.phone)) errors.phone = 'auth.badPhone';
  if (!errors.confirm_password && values.confirm_password !== values.password) {
    errors.confirm_password = 'auth.mismatch';
  }
  return errors;
}
