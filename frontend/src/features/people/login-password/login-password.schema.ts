import type { Refusal } from '@/api/contract/refusal';
import type { Problems } from '@/shared/forms/use-form';
import { passwordProblem } from '../auth/password-rules';

export const noPasswords = { old_password: '', new_password: '', confirm_password: '' };
type PasswordValues = typeof noPasswords;
export type PasswordField = keyof PasswordValues;

/** Only the server knows whether the old one is right. */
export function checkPasswords(values: PasswordValues, username: string): Problems<PasswordField> {
  const errors: Problems<PasswordField> = {};
  for (const name of Object.keys(values) as PasswordField[]) {
    if (!values[name]) errors[name] = 'fields.required';
  }
  if (!errors.new_password && values.new_password === values.old_password) {
    errors.new_password = 'me.password.unchanged';
  }
  errors.new_password ??= passwordProblem(values.new_password, username);
  if (!errors.confirm_password && values.confirm_password !== values.new_password) {
    errors.confirm_password = 'auth.mismatch';
  }
  return errors;
}

/** The field that a refusal belongs to. */
export const refusedAt: Partial<Record<Refusal, PasswordField>> = {
  old_password_wrong: 'old_password',
  password_unchanged: 'new_password',
};
