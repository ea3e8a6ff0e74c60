import type { ParseKeys } from 'i18next';

export type Errors<F extends string> = Partial<Record<F, ParseKeys>>;

/** Every field has to be filled in. */
export function empty<F extends string>(values: Record<F, string>): Errors<F> {
  const errors: Errors<F> = {};
  for (const name of Object.keys(values) as F[]) {
    if (!values[name].trim()) errors[name] = 'auth.required';
  }
  return errors;
}
