import type { TFunction } from 'i18next';
import { nameOf } from '@/i18n/format';

const devices = ['mobile', 'desktop', 'tablet', 'tv'] as const;
const interests = [
  'education',
  'fashion',
  'finance',
  'food',
  'games',
  'health',
  'home',
  'music',
  'outdoor',
  'sports',
  'technology',
  'travel',
] as const;

type Side = 'regions' | 'languages' | 'devices' | 'interests';

/** The name of a part of the audience, in the reader's language. */
export function audienceName(side: Side, code: string, t: TFunction): string {
  const wanted = code.toLowerCase();
  if (side === 'regions') return named('region', code);
  if (side === 'languages') return named('language', code);
  if (side === 'devices') {
    const device = devices.find((known) => known === wanted);
    return device ? t(`plans.device.${device}`) : code;
  }
  const interest = interests.find((known) => known === wanted);
  return interest ? t(`plans.interest.${interest}`) : code;
}

/** `DE` is Germany and `th` Thai; the provider's own words are unchanged. */
function named(type: 'region' | 'language', code: string): string {
  const pattern = type === 'region' ? /^[A-Z]{2}$/ : /^[a-z]{2,3}(-[A-Za-z]{2,4})?$/;
  return pattern.test(code) ? nameOf(type, code) : code;
}
