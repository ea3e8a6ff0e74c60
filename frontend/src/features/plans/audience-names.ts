import type { ParseKeys, TFunction } from 'i18next';
import { nameOf } from '@/i18n/format';

type Side = 'regions' | 'languages' | 'devices' | 'interests';

/** The name of a part of the audience, in the reader's language. */
export function audienceName(side: Side, code: string, t: TFunction): string {
  if (side === 'regions') return named('region', code);
  if (side === 'languages') return named('language', code);
  const word = code.toLowerCase();
  const key = side === 'devices' ? `plans.device.${word}` : `plans.interest.${word}`;
  return t(key as ParseKeys, { defaultValue: code });
}

/** `DE` is Germany and `th` Thai; the provider's own words are unchanged. */
function named(type: 'region' | 'language', code: string): string {
  const pattern = type === 'region' ? /^[A-Z]{2}$/ : /^[a-z]{2,3}(-[A-Za-z]{2,4})?$/;
  return pattern.test(code) ? nameOf(type, code) : code;
}
