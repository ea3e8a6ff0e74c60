import type { ClientLanguage } from '@/api/types';
import { type AppLanguage, bcp47, defaultLanguage } from './languages';
import { availableLanguages, isAvailable, storedLanguage } from './texts';

/**
 * Devices write `zh_Hant_TW`, `de_DE.UTF-8` and `en-US@posix`; BCP 47 has hyphens and nothing else.
 */
function tidy(code: string): string {
  const [name = ''] = code.split(/[.@#]/);
  return name.trim().replaceAll('_', '-').replace(/-+$/, '');
}

/** `zh-TW` -> the app language that the server maps it to; the longest matching source wins. */
export function mapClientLanguage(code: string, map: ClientLanguage[]): AppLanguage | null {
  const wanted = tidy(code).toLowerCase();
  let best: { length: number; target: string } | null = null;
  for (const { source, targets } of map) {
    for (const entry of source.split(',')) {
      const known = tidy(entry).toLowerCase();
      const fits = known !== '' && (wanted === known || wanted.startsWith(`${known}-`));
      if (fits && known.length > (best?.length ?? 0)) {
        best = { length: known.length, target: targets };
      }
    }
  }
  return isAvailable(best?.target) ? best.target : null;
}

/** An app code as it is, or else through the map: errors may contain either. */
export function languageOf(code: string, map: ClientLanguage[]): AppLanguage | null {
  return isAvailable(code) ? code : mapClientLanguage(code, map);
}

function withoutMap(code: string): AppLanguage | null {
  const wanted = fullLocale(tidy(code));
  return (
    availableLanguages.find((lang) => {
      const offered = fullLocale(bcp47(lang));
      return offered?.language === wanted?.language && offered?.script === wanted?.script;
    }) ?? null
  );
}

/** Null for a code that is not a language, such as `C`, which is skipped. */
function fullLocale(code: string): Intl.Locale | null {
  try {
    return new Intl.Locale(code).maximize();
  } catch {
    return null;
  }
}

/**
 * The stored language, or that of the shell or browser (by the server's map, or else by name), or
 * English.
 */
export function firstLanguage(clientCodes: readonly string[], map: ClientLanguage[]): AppLanguage {
  const stored = storedLanguage();
  if (stored) return stored;
  for (const code of clientCodes) {
    const lang = mapClientLanguage(code, map) ?? withoutMap(code);
    if (lang) return lang;
  }
  return defaultLanguage;
}
