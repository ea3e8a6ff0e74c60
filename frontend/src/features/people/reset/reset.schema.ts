import type { Body } from '@/api/contract/endpoints';
import type { Problems } from '@/shared/forms/use-form';
import { empty } from '../auth/auth.schema';

export const nothing = {
  username: '',
  first: '',
  second: '',
  password: '',
  confirm_password: '',
};
type ResetValues = typeof nothing;

const halfLength = 8;

/** However it is separated: it was heard on the telephone. */
function isHalf(typed: string): boolean {
  return [...typed.replace(/[^\p{L}\p{N}]/gu, '')].length === halfLength;
}

/** A half that cannot be one is named here: a wrong code counts as a try. */
export function checkReset(values: ResetValues): Problems<keyof ResetValues> {
  const errors = empty(values);
  for (const half of ['first', 'second'] as const) {
    if (!errors[half] && !isHalf(values[half])) errors[half] = 'reset.incomplete';
  }
  if (!errors.confirm_password && values.confirm_password !== values.password) {
    errors.confirm_password = 'auth.mismatch';
  }
  return errors;
}

export function resetBody({
  username,
  first,
  second,
  ...passwords
}: ResetValues): Body<'/auth/reset'> {
  return { username: username.trim(), code: `${first.trim()} ${second.trim()}`, ...passwords };
}
