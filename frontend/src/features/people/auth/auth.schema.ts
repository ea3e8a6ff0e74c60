import type { ParseKeys } from 'i18next';
import { emailProblem, phoneProblem } from '@/shared/forms/contact-formats';

export type Errors<F extends string> = Partial<Record<F, ParseKeys>>;

export type LoginValues = { username: string; password: string };
export type RegisterValues = {
  username: string;
  password: string;
  confirm_password: string;
  email: string;
  phone: string;
  license_key: string;
};

function empty<F extends string>(values: Record<F, string>): Errors<F> {
  const errors: Errors<F> = {};
  for (const name of Object.keys(values) as F[]) {
    if (!values[name].trim()) errors[name] = 'auth.required';
  }
  return errors;
}

export function checkLogin(values: LoginValues): Errors<keyof LoginValues> {
  return empty(values);
}

export function checkRegister(values: RegisterValues): Errors<keyof RegisterValues> {
  const errors = empty(values);
  if (!errors.email && emailProblem(values.email)) errors.email = 'auth.badEmail';
  if (!errors.phone && phoneProblem(values.phone)) errors.phone = 'auth.badPhone';
  if (!errors.confirm_password && values.confirm_password !== values.password) {
    errors.confirm_password = 'auth.mismatch';
  }
  return errors;
}
