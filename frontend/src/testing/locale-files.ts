import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Read by the tests of the texts; the app itself loads them through Vite.

export type Texts = { [key: string]: string | Texts };

const folder = join(import.meta.dirname, '../../../locales');

export const plural = /_(zero|one|two|few|many|other)$/;

/** By the names of their files: `cht`, `de` and so on. */
export const languages = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''))
  .sort();

export function read(lang: string): Texts {
  return JSON.parse(readFileSync(join(folder, `${lang}.json`), 'utf8'));
}

/** `section.key` and the text, with plural forms as separate entries. */
export function flat(texts: Texts, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string'
        ? [[`${prefix}${key}`, value]]
        : [...flat(value, `${prefix}${key}.`)],
    ),
  );
}
