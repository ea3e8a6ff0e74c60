import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type AppLanguage, bcp47, defaultLanguage, isAppLanguage } from './languages';

const storageKey = 'lang';

type Texts = Record<string, unknown>;
const files = import.meta.glob<Texts>('../../../locales/*.json', { import: 'default' });

function codeOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
}

/** Only a language with a file of texts is offered. */
export const availableLanguages: AppLanguage[] = Object.keys(files)
  .map(codeOf)
  .filter(isAppLanguage)
  .sort();

export function isAvailable(code: string | null | undefined): code is AppLanguage {
  return isAppLanguage(code) && availableLanguages.includes(code);
}

export function storedLanguage(): AppLanguage | null {
  const lang = localStorage.getItem(storageKey);
  return isAvailable(lang) ? lang : null;
}

let shown: AppLanguage = defaultLanguage;

export function currentLanguage(): AppLanguage {
  return shown;
}

async function load(lang: AppLanguage) {
  const code = bcp47(lang);
  if (i18next.hasResourceBundle(code, 'translation')) return;
  const file = files[`../../../locales/${lang}.json`];
  if (file) i18next.addResourceBundle(code, 'translation', await file());
}

export async function showLanguage(lang: AppLanguage) {
  await load(lang);
  shown = lang;
  document.documentElement.lang = bcp47(lang);
  await i18next.changeLanguage(bcp47(lang));
}

export async function chooseLanguage(lang: AppLanguage) {
  await showLanguage(lang);
  localStorage.setItem(storageKey, lang);
}

export async function startTexts(lang: AppLanguage) {
  await i18next.use(initReactI18next).init({
    resources: {},
    lng: bcp47(lang),
    fallbackLng: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  await showLanguage(lang);
}
