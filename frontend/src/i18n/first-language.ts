import type { ClientLanguage } from '@/api/types';
import { type AppLanguage, bcp47, defaultLanguage } from './languages';
import { availableLanguages, isAvailable, storedLanguage } from './texts';

/** `zh-TW` -> the app language the server maps it to; the longest source that fits wins. */
export function mapClientLanguage(code: string, map: ClientLanguage[]): AppLanguage | null {
  const wanted = code.toLowerCase().replace('_', '-');
  let best: { length: number; target: string } | null = null;
  for (const { source, targets } of map) {
    for (const entry of source.split(',')) {
      const known = entry.trim().toLowerCase().replace('_', '-');
      const fits = known !== '' && (wanted === known || wanted.startsWith(`${known}-`));
      if (fits && known.length > (best?.length ?? 0)) {
        best = { length: known.length, target: targets };
      }
    }
  }
  return isAvailable(best?.target) ? best.target : null;
}

/** An app code as it is, else through the map: errors may name either. */
export function languageOf(code: string, map: ClientLanguage[]): AppLanguage | null {
  return isAvailable(code) ? code : mapClientLanguage(code, map);
}

function withoutMap(code: string): AppLanguage | null {
  const wanted = new Intl.Locale(code).maximize();
  return (
    availableLanguages.find((lang) => {
      const offered = new Intl.Locale(bcp47(lang)).maximize();
      return offered.language === wanted.language && offered.script === wanted.script;
    }) ?? null
  );
}

/** Stored, else what the shell or the browser speaks (by the server's map, else by name), else en. */
export function firstLanguage(clientCodes: readonly string[], map: ClientLanguage[]): AppLanguage {
  const stored = storedLanguage();
  if (stored) return stored;
  for (const code of clientCodes) {
    const lang = mapClientLanguage(code, map) ?? withoutMap(code);
    if (lang) return lang;
  }
  return defaultLanguage;
}
