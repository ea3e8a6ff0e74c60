import { afterEach, expect, it, vi } from 'vitest';
import { showLanguage } from '@/i18n/texts';
import { billedBy } from './billed-by';

const noon = Date.parse('2026-11-21T12:00:00Z');

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['Asia/Tokyo', 'jp', '8:45'],
  ['America/Sao_Paulo', 'pt', '20:45'],
  ['UTC', 'de', '23:45'],
] as const)('says at a clock of %s when the day is billed', async (zone, lang, time) => {
  vi.stubEnv('TZ', zone);
  await showLanguage(lang);
  expect(billedBy(noon)).toBe(time);
});
