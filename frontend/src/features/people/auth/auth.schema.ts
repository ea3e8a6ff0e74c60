import type { Problems } from '@/shared/forms/use-form';

/** Every field has to be filled in. */
export function empty<F extends string>(values: Record<F, string>): Problems<F> {
  const errors: Problems<F> = {};
  for (const name of Object.keys(values) as F[]) {
    if (!values[name].trim()) errors[name] = 'auth.required';
  }
  return errors;
}
