import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Texts = { [key: string]: string | Texts };

const source = join(import.meta.dirname, '..');
const folder = join(source, '../../locales');
/** The server's own sections, whose tests watch over them. */
const serverOnly = ['errors', 'server'];
const plural = /_(zero|one|two|few|many|other)$/;

function keysOf(texts: Texts, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? `${prefix}${key}` : keysOf(value, `${prefix}${key}.`),
  );
}

function read(file: string): Texts {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

function baseKeys(file: string): string[] {
  return [...new Set(keysOf(read(file)).map((key) => key.replace(plural, '')))].sort();
}

function sourceText(): string {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(join(source, file), 'utf8'))
    .join('\n');
}

const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const code = sourceText();

describe('the texts', () => {
  it.each(files)('%s has the keys of en.json', (file) => {
    expect(baseKeys(file)).toEqual(baseKeys('en.json'));
  });

  it.each(files)('%s has the placeholders of en.json', (file) => {
    const flat = (texts: Texts, prefix = ''): [string, string][] =>
      Object.entries(texts).flatMap(([key, value]): [string, string][] =>
        typeof value === 'string'
          ? [[`${prefix}${key}`.replace(plural, ''), value]]
          : flat(value, `${prefix}${key}.`),
      );
    const holes = (text: string) => [...text.matchAll(/{{\w+}}/g)].map(String).sort().join();
    const english = new Map(flat(read('en.json')));
    for (const [key, text] of flat(read(file))) {
      expect(`${key} ${holes(text)}`).toBe(`${key} ${holes(english.get(key) ?? '')}`);
    }
  });

  it('are all used', () => {
    const dynamic = [...code.matchAll(/`((?:\w+\.)+)\$\{/g)].map(([, prefix]) => prefix ?? '');
    const unused = baseKeys('en.json')
      .filter((key) => !serverOnly.includes(key.split('.')[0] ?? ''))
      .filter((key) => !code.includes(`'${key}'`) && !code.includes(`"${key}"`))
      .filter((key) => !dynamic.includes(key.slice(0, key.lastIndexOf('.') + 1)));
    expect(unused).toEqual([]);
  });

  it('are all there', () => {
    const known = new Set(baseKeys('en.json'));
    const used = [...code.matchAll(/\bt\(\s*'([\w.]+)'/g)].map(([, key]) => key ?? '');
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter((key) => !known.has(key))).toEqual([]);
  });
});
