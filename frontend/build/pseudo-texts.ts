import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const accents: Record<string, string> = {
  a: 'á',
  c: 'ç',
  e: 'é',
  g: 'ğ',
  i: 'í',
  l: 'ļ',
  n: 'ñ',
  o: 'ó',
  r: 'ŕ',
  s: 'š',
  t: 'ţ',
  u: 'ú',
  y: 'ý',
  z: 'ž',
  A: 'Á',
  C: 'Ç',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  S: 'Š',
  U: 'Ú',
};

/** How much longer a translation may be than the English text. */
const growth = 1.4;

/** A word as in a long language: its vowels, and then its last letter, repeated. */
function stretched(word: string): string {
  let missing = Math.ceil(word.length * growth) - word.length;
  const letters = [...word].map((letter) => {
    const accented = accents[letter] ?? letter;
    if (missing === 0 || !/[aeiouy]/.test(letter)) return accented;
    missing -= 1;
    return accented.repeat(2);
  });
  return letters.join('') + (letters.at(-1) ?? '').slice(-1).repeat(missing);
}

/**
 * `Pay {{amount}} now` -> `⟦Páýý {{amount}} ñóóww⟧`: a text without brackets is not from the locale
 * files.
 */
export function pseudo(text: string): string {
  const parts = text.split(/({{\w+}})/);
  const shown = parts.map((part) =>
    part.startsWith('{{') ? part : part.replace(/[A-Za-z]+/g, stretched),
  );
  return `⟦${shown.join('')}⟧`;
}

/** English with every text made longer; the file is read here, before its texts are split. */
export function pseudoTexts(): Plugin {
  return {
    name: 'placard:pseudo-texts',
    enforce: 'pre',
    load(id) {
      const [file, part] = id.split('?');
      if (!file?.endsWith('/locales/en.json') || !/^(first|rest)$/.test(part ?? '')) return null;
      const longer = (_: string, value: unknown) =>
        typeof value === 'string' ? pseudo(value) : value;
      return {
        code: JSON.stringify(JSON.parse(readFileSync(file, 'utf8'), longer)),
        moduleType: 'js',
      };
    },
  };
}
