/** The app's own language codes name the files; Intl, plurals and the server use BCP 47. */
const codes = {
  cht: 'zh-Hant',
  de: 'de',
  en: 'en',
  fr: 'fr',
  jp: 'ja',
  kor: 'ko',
  pt: 'pt-BR',
  ru: 'ru',
  spa: 'es-419',
  th: 'th',
  vi: 'vi',
  zh: 'zh-Hans',
} as const;

export type AppLanguage = keyof typeof codes;

export const defaultLanguage: AppLanguage = 'en';

export const appLanguages = Object.keys(codes) as AppLanguage[];

export function isAppLanguage(code: string | null | undefined): code is AppLanguage {
  return typeof code === 'string' && Object.hasOwn(codes, code);
}

export function bcp47(lang: AppLanguage): string {
  return codes[lang];
}

/** The web app manifest in a language: build/in-languages.ts makes one for each. */
export function manifestOf(lang: AppLanguage): string {
  return lang === defaultLanguage ? '/manifest.webmanifest' : `/manifest-${lang}.webmanifest`;
}
