import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readText, store } from '@/stored';
import { isolated } from './isolated';
import { type AppLanguage, bcp47, defaultLanguage, isAppLanguage, manifestOf } from './languages';

/** The specification's. */
export const languageKey = 'lang';

/** Texts are drawn again then, as in another language: there may be amounts in them. */
export const currencyChanged = 'currencyChanged';

type Texts = Record<string, unknown>;
type Files = Record<string, () => Promise<Texts>>;

/** build/app-texts.ts splits them: what a page before the login needs, and the rest. */
const first: Files = import.meta.glob<Texts>('../../../locales/*.json', {
  import: 'default',
  query: '?first',
});
const rest: Files = import.meta.glob<Texts>('../../../locales/*.json', {
  import: 'default',
  query: '?rest',
});

function codeOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
}

/** Only languages with a file of texts are offered. */
export const availableLanguages: AppLanguage[] = Object.keys(first)
  .map(codeOf)
  .filter(isAppLanguage)
  .sort();

export function isAvailable(code: string | null | undefined): code is AppLanguage {
  return isAppLanguage(code) && availableLanguages.includes(code);
}

export function storedLanguage(): AppLanguage | null {
  const lang = readText('localStorage', languageKey);
  return isAvailable(lang) ? lang : null;
}

let shown: AppLanguage = defaultLanguage;

export function currentLanguage(): AppLanguage {
  return shown;
}

const loaded = new Set<() => Promise<Texts>>();
let whole = false;

async function load(lang: AppLanguage) {
  await Promise.all([add(first, lang), whole && add(rest, lang)]);
}

async function add(files: Files, lang: AppLanguage) {
  const file = files[`../../../locales/${lang}.json`];
  if (!file || loaded.has(file)) return;
  const deep = true;
  const overwrite = false;
  // Nothing else uses the texts, so that i18next need not copy them.
  const options = { silent: false, skipCopy: true };
  i18next.addResourceBundle(bcp47(lang), 'translation', await file(), deep, overwrite, options);
  loaded.add(file);
}

/**
 * Makes this and later languages load the texts of all pages, in addition to those that every page
 * needs.
 */
export function wantAllTexts() {
  whole = true;
}

/** Loads the texts for a page behind the login, which must be there before it is drawn. */
export async function loadAllTexts() {
  whole = true;
  await load(shown);
}

/** Counts the requests, so that the last language is shown, whichever of them loads last. */
let asked = 0;

export async function showLanguage(lang: AppLanguage) {
  const turn = ++asked;
  await load(lang);
  if (turn === asked) await show(lang);
}

async function show(lang: AppLanguage) {
  shown = lang;
  document.documentElement.lang = bcp47(lang);
  document.querySelector('link[rel=manifest]')?.setAttribute('href', manifestOf(lang));
  await i18next.changeLanguage(bcp47(lang));
}

let accountLanguageShown = false;

/** Shows the language of an account. The start of the app does not undo it. */
export async function showAccountLanguage(lang: AppLanguage) {
  accountLanguageShown = true;
  await showLanguage(lang);
}

/** Shows the device's language, unless another one is chosen, even while the texts load. */
export async function showDeviceLanguage(lang: AppLanguage) {
  await load(lang);
  if (!accountLanguageShown && !storedLanguage()) await show(lang);
}

/** Somebody has chosen another one in another tab. */
export async function showStoredLanguage() {
  const lang = storedLanguage();
  if (lang && lang !== shown) await showLanguage(lang);
}

/** False if another one was asked for meanwhile. */
export async function chooseLanguage(lang: AppLanguage): Promise<boolean> {
  await showLanguage(lang);
  const done = shown === lang;
  if (done) store('localStorage', languageKey, lang);
  return done;
}

/** A newer server may send a state without a text here: its name is better than nothing. */
function wordsOf(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1).replaceAll('_', ' ');
}

/** The stop of a value such as “31 дек. 2026 г.” or “1:45 p.m.” ends the sentence too. Nothing else is changed in a value. */
const oneStop = {
  type: 'postProcessor',
  name: 'stop',
  process: (text: string, _key: string | string[], values: Record<string, unknown>) =>
    Object.values(values)
      .filter((value) => typeof value === 'string' && value.endsWith('.'))
      .map((value) => isolated(`${value}`))
      .reduce<string>((shown, value) => shown.replaceAll(`${value}.`, () => value), text),
} as const;

export async function startTexts(lang: AppLanguage) {
  // Requests made meanwhile use it.
  shown = lang;
  await i18next
    .use(initReactI18next)
    .use(oneStop)
    .init({
      resources: {},
      lng: bcp47(lang),
      fallbackLng: false,
      // React escapes the texts. In place of escaping, i18next isolates the direction of inserted
      // values.
      interpolation: { escapeValue: true, escape: isolated },
      postProcess: 'stop',
      parseMissingKeyHandler: (key, given) => given ?? wordsOf(key),
      react: { useSuspense: false, bindI18n: `languageChanged ${currencyChanged}` },
    });
  await showLanguage(lang);
}
