import type { Page } from '@playwright/test';
import { languageName } from '../src/i18n/language-name.ts';
import { bcp47, isAppLanguage } from '../src/i18n/languages.ts';
import { languages } from '../src/testing/locale-files.ts';
import { foreignHan, ownTexts } from './texts.ts';

/** Whether a language has a script other than Latin. */
const hasOwnScript = (lang: string) =>
  isAppLanguage(lang) && new Intl.Locale(bcp47(lang)).maximize().script !== 'Latn';

/** Names, codes and formats that are the same everywhere. */
const everywhere =
  /\b(Placard|VIP|FAQ|AI|ID|URL|CSV|PDF|JSON|JPEG|JPG|PNG|WebP|GIF|SVG|KB|MB|GB|UTC|GMT|TRC20|ERC20|USDT|US|USD|EUR|CNY|JPY|GBP|BRL|THB|VND|KRW|RUB|CPM|CPC|CTR|Chrome|Chromium|Firefox|Safari|Edge|Linux|Android|iOS|iPhone|iPad|macOS|Mac|Windows|GET|POST)\b/g;
/**
 * Addresses, numbers with prefixes, plan numbers, and words with an underscore or digits inside.
 */
const notWords =
  /\S+@\S+|https?:\/\/\S+|\/\S+\/\S*|\b[\w-]*\d[\w-]*\b|\b\w+_\w+\b|\bP[A-Z\d]{10}\b|•+\s*\w+/g;

export type Spoken = { text: string; from: string };

/** The texts of the page in front, including those for screen readers. */
export function spokenTexts(page: Page): Promise<Spoken[]> {
  return page.evaluate(() => {
    const front = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1);
    const found: { text: string; from: string }[] = [];
    const add = (text: string | null, from: string) => {
      const trimmed = text?.replace(/\s+/g, ' ').trim();
      if (trimmed) found.push({ text: trimmed, from });
    };
    add(document.title, 'title of the page');
    const root = front ?? document.body;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const box = node.parentElement;
      if (!box || /^(SCRIPT|STYLE|NOSCRIPT)$/.test(box.tagName)) continue;
      // A language's name is in that language.
      if (box.closest('[lang]') !== document.documentElement && box.closest('[lang]')) continue;
      add(node.textContent, box.tagName.toLowerCase());
    }
    for (const name of ['placeholder', 'aria-label', 'alt', 'title', 'aria-valuetext']) {
      for (const element of root.querySelectorAll(`[${name}]`)) {
        add(element.getAttribute(name), name);
      }
    }
    return found;
  });
}

/** The language's name in itself, as on the language sheet. */
function named(lang: string) {
  return isAppLanguage(lang) ? languageName(lang) : lang;
}

/** Some are spelt as in English, and a year may follow. */
function months(lang: string) {
  return (['short', 'long'] as const).flatMap((month) => {
    const format = new Intl.DateTimeFormat(codeOf(lang), { month, calendar: 'gregory' });
    return Array.from({ length: 12 }, (_, at) => format.format(new Date(2026, at, 15)));
  });
}

/** The currencies that the demonstration's acceptors pay out. */
function currencies(lang: string) {
  const names = new Intl.DisplayNames(codeOf(lang), { type: 'currency' });
  return ['EUR', 'CNY', 'JPY', 'GBP', 'BRL', 'THB', 'VND', 'KRW', 'RUB', 'USD'].map(
    (code) => names.of(code) ?? code,
  );
}

function codeOf(lang: string) {
  return isAppLanguage(lang) ? bcp47(lang) : lang;
}

export type Judge = (spoken: readonly Spoken[], english: ReadonlySet<string>) => string[];

/**
 * Finds texts that are not in the reader's language. `given` are texts by providers and users, in
 * any language.
 */
export function judgeOf(lang: string, given: readonly string[]): Judge {
  const isOwn = ownTexts(lang);
  const foreign = foreignHan(lang);
  const provided = new Set([
    ...given,
    ...languages.map(named),
    ...months(lang),
    ...currencies(lang),
  ]);
  const longest = [...provided]
    .filter((text) => text.length > 2)
    .sort((a, b) => b.length - a.length);
  const rest = (text: string) =>
    longest
      .reduce((left, known) => left.replaceAll(known, ' '), text)
      .replace(notWords, ' ')
      .replace(everywhere, ' ');
  const ownScript = hasOwnScript(lang);
  const wrong = (text: string, english: ReadonlySet<string>) => {
    if (/{{|}}|\bundefined\b|\bNaN\b|\bnull\b|Invalid Date|\[object/.test(text)) return 'raw value';
    if (/^[a-z][A-Za-z]+(\.[A-Za-z_]+)+$/.test(text)) return 'raw key';
    if (lang === 'en') return null;
    if (provided.has(text)) return null;
    if (foreign?.test(rest(text))) return 'other Chinese';
    const letters = rest(text);
    if (!/\p{L}{2}/u.test(letters) || isOwn(text)) return null;
    // A word and a number of the plan it belongs to.
    if (text.split(' · ').every((part) => !/\p{L}{2}/u.test(rest(part)) || isOwn(part)))
      return null;
    if (english.has(text)) return 'as in English';
    if (ownScript && /^[^\p{L}]*(\p{Script=Latin}[^\p{L}]*)+$/u.test(letters)) {
      return 'Latin letters only';
    }
    return null;
  };
  return (spoken, english) => {
    const found = spoken.flatMap(({ text, from }) => {
      const why = wrong(text, english);
      return why ? [`${why}: ${text.slice(0, 90)} (${from})`] : [];
    });
    return [...new Set(found)];
  };
}
