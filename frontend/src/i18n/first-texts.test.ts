import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importedFile, source } from '@/testing/source-files';
import { notInApp, partOf } from '../../build/app-texts.ts';
import { routes } from '../app/routes';

const english = JSON.parse(readFileSync(join(source, '../../locales/en.json'), 'utf8'));

/** Drawn only for signed-in users, when all texts are loaded. */
const later = [
  'app/routes.ts',
  'app/frame/TabBar.tsx',
  'app/signed-in/SignedIn.tsx',
  'app/query-client.ts',
];

/** A file with everything it imports, dynamically too. */
function sources(file: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(file) || later.some((one) => file.endsWith(one))) return found;
  const code = readFileSync(file, 'utf8');
  found.set(file, code);
  for (const [, name = ''] of code.matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
    const imported = importedFile(name, file);
    if (imported) sources(imported, found);
  }
  return found;
}

function keys(texts: object, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [prefix + key] : keys(text, `${prefix}${key}.`),
  );
}

describe('what is loaded before the login', () => {
  const code = [...sources(join(source, 'app/frame/Layout.tsx')).values()];
  const open = routes.filter(({ allTexts }) => !allTexts);

  it('holds every text of the pages that need no login', () => {
    const table = readFileSync(join(source, 'app/routes.ts'), 'utf8');
    const loaded = open.flatMap(({ path }) => {
      const [, after = ''] = table.split(`'${path}': {`);
      return /features\/[\w/-]+/.exec(after) ?? [];
    });
    expect(loaded).toHaveLength(3);
    const files = [...loaded, 'app/NotFoundPage'].map((page) => importedFile(`@/${page}`, ''));
    const all = [
      ...code,
      ...files.flatMap((file) => (file ? [...sources(file).values()] : [])),
    ].join('\n');
    const first = keys(partOf(english, 'first'));
    const rest = keys(partOf(english, 'rest')).map((key) => key.replace(/_(one|other)$/, ''));
    const used = [...all.matchAll(/'((?:\w+\.)+\w+)'/g)].flatMap(([, key = '']) => key);
    expect(used.filter((key) => first.includes(key)).length).toBeGreaterThan(40);
    expect(used.filter((key) => rest.includes(key))).toEqual([]);
    // Keys whose last part depends on something, such as `auth.rule.${rule}`.
    const prefixes = [...all.matchAll(/`((?:\w+\.)+)\$\{/g)].flatMap(([, prefix = '']) => prefix);
    const some = (of: string[], prefix: string) => of.some((key) => key.startsWith(prefix));
    expect(prefixes).toContain('auth.usernameProblem.');
    expect(prefixes.filter((one) => some(rest, one) && !some(first, one))).toEqual([]);
  });

  it('and the rest are all the others, but those that the app itself does not say', () => {
    const own = Object.fromEntries(
      Object.entries(english).filter(([section]) => !notInApp.includes(section)),
    );
    const both = [...keys(partOf(english, 'first')), ...keys(partOf(english, 'rest'))];
    expect(both.sort()).toEqual(keys(own).sort());
  });
});
