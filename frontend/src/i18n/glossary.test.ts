// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flat, languages, plural, read } from '@/testing/locale-files';

type Term = {
  term: string;
  /** Patterns of English texts with the term. */
  english: string[];
  note?: string;
  /** Each language's word for it, and the stems of its other forms. */
  words: Record<string, string[]>;
  /** Texts that say it another way, such as short labels, by key. */
  except?: Record<string, string[]>;
};

const file = join(import.meta.dirname, '../../../locales/glossary/terms.json');
const terms: Term[] = JSON.parse(readFileSync(file, 'utf8'));
const english = flat(read('en'));
const others = languages.filter((lang) => lang !== 'en');

/** The texts of each language, by key without the plural form. */
const texts = new Map(
  others.map((lang) => {
    const known = new Map<string, string[]>();
    for (const [key, text] of flat(read(lang))) {
      const base = key.replace(plural, '');
      known.set(base, [...(known.get(base) ?? []), text]);
    }
    return [lang, known] as const;
  }),
);

/** The keys of texts whose English has the term. Names of placeholders don't count. */
function keysWith({ english: patterns }: Term): string[] {
  const pattern = new RegExp(patterns.join('|'), 'i');
  const found = [...english].filter(([, text]) => pattern.test(text.replace(/{{\w+}}/g, '')));
  return [...new Set(found.map(([key]) => key.replace(plural, '')))];
}

/** Without soft hyphens and no-break spaces, which don't change a word. */
const plain = (text: string) => text.replaceAll('\u00ad', '').replaceAll('\u00a0', ' ');

/** Texts of a language that have the term but none of its words. */
function strays(term: Term, lang: string): string[] {
  const stems = term.words[lang]?.map((word) => plain(word).toLowerCase()) ?? [];
  const says = (text: string) => stems.some((stem) => plain(text).toLowerCase().includes(stem));
  return keysWith(term).filter((key) => !texts.get(lang)?.get(key)?.every(says));
}

describe.each(terms)('“$term”', (term) => {
  it('is a word of our texts, and has one in each language', () => {
    expect(keysWith(term)).not.toEqual([]);
    expect(Object.keys(term.words).sort()).toEqual(others);
  });

  it.each(others)('is said by its word in %s', (lang) => {
    const excepted = Object.entries(term.except ?? {});
    const allowed = excepted.filter(([, langs]) => langs.includes(lang)).map(([key]) => key);
    expect(strays(term, lang).sort()).toEqual(allowed.sort());
  });
});
