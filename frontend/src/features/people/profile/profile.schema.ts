import type { ParseKeys } from 'i18next';
import type { User } from '@/api/types';
import { emailProblem, phoneProblem } from '@/shared/forms/contact-formats';
import type { Problems } from '@/shared/forms/use-form';

export const profileFields = ['nickname', 'email', 'phone'] as const;
type ProfileField = (typeof profileFields)[number];
export type ProfileValues = Record<ProfileField, string>;

const longestNickname = 32;

export function valuesOf(user: User): ProfileValues {
  return { nickname: user.nickname, email: user.email, phone: user.phone };
}

/** Only what differs from what the form was filled with is sent, so that changes made elsewhere are kept. */
export function changesOf(values: ProfileValues, filled: ProfileValues): Partial<ProfileValues> {
  const changed = profileFields
    .map((field) => [field, values[field].trim()] as const)
    .filter(([field, value]) => value !== filled[field]);
  return Object.fromEntries(changed);
}

/** The problems of changed fields. Values accepted earlier are not checked again. */
export function checkProfile(changes: Partial<ProfileValues>): Problems<ProfileField> {
  const problems = {
    nickname: changes.nickname === undefined ? null : nicknameProblem(changes.nickname),
    email: changes.email === undefined ? null : emailProblem(changes.email),
    phone: changes.phone === undefined ? null : phoneProblem(changes.phone),
  };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem));
}

function nicknameProblem(name: string): ParseKeys | null {
  if (!name) return 'fields.required';
  return [...name].length > longestNickname ? 'fields.too_long' : null;
}
