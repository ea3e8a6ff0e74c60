import { emailProblem, phoneProblem } from '@/shared/forms/contact-formats';
import type { Problems } from '@/shared/forms/use-form';
import { empty } from './auth.schema';

export type RegisterValues = {
  username: string;
  password: string;
  confirm_password: string;
  email: string;
  phone: string;
  license_key: string;
};

export function checkRegister(values: RegisterValues): Problems<keyof RegisterValues> {
  const errors = empty(values);
  if (!errors.email && emailProblem(values.email)) errors.email = 'auth.badEmail';
  if (!errors.phone && phoneProblem(values.phone)) errors.phone = 'auth.badPhone';
  if (!errors.confirm_password && values.confirm_password !== values.password) {
    errors.confirm_password = 'auth.mismatch';
  }
  return errors;
}
