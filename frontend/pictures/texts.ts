import { flat, read } from '../src/testing/locale-files.ts';

export type Translate = (key: string, params?: Record<string, string | number>) => string;

/** The app's texts in a language, to find buttons and fields. */
export function translator(lang: string): Translate {
  const texts = flat(read(lang));
  return (key, params = {}) => {
    const text = texts.get(key);
    if (text === undefined) throw new Error(`${lang} has no text ${key}`);
    return text.replace(/{{(\w+)}}/g, (_, name: string) => String(params[name] ?? ''));
  };
}

/** Whether a text is one of the language's own, with its placeholders filled in. */
export function ownTexts(lang: string): (text: string) => boolean {
  const whole = new Set<string>();
  const patterns: RegExp[] = [];
  for (const text of flat(read(lang)).values()) {
    if (!text.includes('{{')) whole.add(text);
    // A text that is little more than a placeholder would match anything.
    else if (/\p{L}{2}/u.test(text.replace(/{{\w+}}/g, ''))) patterns.push(patternOf(text));
  }
  return (text) => whole.has(text) || patterns.some((pattern) => pattern.test(text));
}

function patternOf(text: string) {
  const parts = text.split(/{{\w+}}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`, 'su');
}

/** Characters that only one of the two Chinese scripts has, judging by our texts. */
export function foreignHan(lang: string): RegExp | null {
  const other = { cht: 'zh', zh: 'cht' }[lang];
  if (!other) return null;
  const own = new Set([...flat(read(lang)).values()].join(''));
  const theirs = new Set([...flat(read(other)).values()].join(''));
  const foreign = [...theirs].filter((mark) => /\p{Script=Han}/u.test(mark) && !own.has(mark));
  return new RegExp(`[${foreign.join('')}]`, 'u');
}
