import type { AppLanguage } from './languages';

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

/** The language's name in itself, so that those who cannot read the page find it. */
export function languageName(lang: AppLanguage): string {
  return names[lang];
}
