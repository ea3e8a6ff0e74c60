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

const names: Record<AppLanguage, string> = {
  cht: '繁體中文',
  de: 'Deutsch',
  en: 'English',
  fr: 'Français',
  jp: '日本語',
  kor: '한국어',
  pt: 'Português',
  ru: 'Русский',
  spa: 'Español',
  th: 'ไทย',
  vi: 'Tiếng Việt',
  zh: '简体中文',
};

export const defaultLanguage: AppLanguage = 'en';

export const appLanguages = Object.keys(codes) as AppLanguage[];

export function isAppLanguage(code: string | null | undefined): code is AppLanguage {
  return typeof code === 'string' && Object.hasOwn(codes, code);
}

export function bcp47(lang: AppLanguage): string {
  return codes[lang];
}

/** The language's name in itself, so that those who cannot read the page find it. */
export function languageName(lang: AppLanguage): string {
  return names[lang];
}

/** What an installed app says of itself outside: build/in-languages.ts makes one for each language. */
export function manifestOf(lang: AppLanguage): string {
  return lang === defaultLanguage ? '/manifest.webmanifest' : `/manifest-${lang}.webmanifest`;
}
