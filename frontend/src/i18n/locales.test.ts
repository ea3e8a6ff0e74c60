// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flat, languages, plural, read } from '@/testing/locale-files';
import { notInApp } from '../../build/app-texts.ts';

const source = join(import.meta.dirname, '..');

function baseKeys(lang: string): string[] {
  return [...new Set([...flat(read(lang)).keys()].map((key) => key.replace(plural, '')))].sort();
}

function sourceText(): string {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(join(source, file), 'utf8'))
    .join('\n');
}

const code = sourceText();

describe('the texts', () => {
  it.each(languages)('%s.json has the keys of en.json', (lang) => {
    expect(baseKeys(lang)).toEqual(baseKeys('en'));
  });

  it.each(languages)('%s.json has the placeholders of en.json', (lang) => {
    const holes = (text = '') => [...text.matchAll(/{{\w+}}/g)].map(String).sort().join();
    const english = new Map(
      [...flat(read('en'))].map(([key, text]) => [key.replace(plural, ''), text]),
    );
    for (const [key, text] of flat(read(lang))) {
      const base = key.replace(plural, '');
      expect(`${base} ${holes(text)}`).toBe(`${base} ${holes(english.get(base))}`);
    }
  });

  it('are all used', () => {
    const dynamic = [...code.matchAll(/`((?:\w+\.)+)\$\{/g)].map(([, prefix]) => prefix ?? '');
    const unused = baseKeys('en')
      .filter((key) => !notInApp.includes(key.split('.')[0] ?? ''))
      .filter((key) => !code.includes(`'${key}'`) && !code.includes(`"${key}"`))
      .filter((key) => !dynamic.includes(key.slice(0, key.lastIndexOf('.') + 1)));
    expect(unused).toEqual([]);
  });

  it('are all there', () => {
    const known = new Set(baseKeys('en'));
    const used = [...code.matchAll(/\bt\(\s*'([\w.]+)'/g)].map(([, key]) => key ?? '');
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter((key) => !known.has(key))).toEqual([]);
  });
});
