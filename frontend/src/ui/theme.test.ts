// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ui = import.meta.dirname;
const components = join(ui, '../../node_modules/react-vant/es');

/** The style sheets of the components that our wrappers import. */
function sheetsInUse(): string[] {
  const files = readdirSync(ui, { recursive: true, encoding: 'utf8' });
  const code = files
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => readFileSync(join(ui, file), 'utf8'));
  const names = code.flatMap((one) =>
    [...one.matchAll(/react-vant\/es\/([\w-]+)\//g)].map(([, name = '']) => name),
  );
  const paths = [...new Set(names)].map((name) => join(components, name, 'style/index.css'));
  return paths.filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8'));
}

const found = (css: string, pattern: RegExp) => [...css.matchAll(pattern)].map(([, name]) => name);

it('sets every variable, and has every movement, that the components in use take from a base', () => {
  const theme = readFileSync(join(ui, 'theme.css'), 'utf8');
  const sheets = sheetsInUse().join('\n');
  expect(sheets.length).toBeGreaterThan(10_000);
  const defined = new Set(found(theme + sheets, /(--rv-[\w-]+):/g));
  const missing = found(sheets, /var\((--rv-[\w-]+)\)/g).filter((name) => !defined.has(name));
  expect(missing).toEqual([]);
  const moves = found(sheets, /animation(?:-name)?:[^;]*?[\s:](rv-[\w-]+)/g);
  const known = new Set(found(theme + sheets, /@keyframes (rv-[\w-]+)/g));
  expect(moves).not.toEqual([]);
  expect(moves.filter((name) => !known.has(name))).toEqual([]);
});

it('makes anew in a layer what it makes of the grey that a layer has its own of', () => {
  const read = (file: string) => readFileSync(join(ui, file), 'utf8');
  const made = found(read('theme.css'), /(--rv-[\w-]+): var\(--color-sunken\)/g);
  const sheets = sheetsInUse().join('\n');
  // Others are only made further variables of.
  const seen = made.filter((name) => new RegExp(`\\s[a-z-]+: var\\(${name}\\)`).test(sheets));
  expect(seen).toContain('--rv-button-default-background-color');
  const anew = found(read('layers/Layer.module.css'), /(--rv-[\w-]+): var\(--color-sunken\)/g);
  expect(anew).toEqual(expect.arrayContaining(seen));
});

it('asks no class for a part of its name, for which browsers style everything below it anew', () => {
  const source = join(ui, '..');
  const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => [file, readFileSync(join(source, file), 'utf8')] as const);
  expect(sheets.length).toBeGreaterThan(100);
  const rules = (css: string) => css.replace(/\/\*.*?\*\//gs, '');
  expect(sheets.filter(([, css]) => /\[class\b/.test(rules(css))).map(([file]) => file)).toEqual(
    [],
  );
});

it('gives one size to the texts that a page or a form begins with', () => {
  const source = join(ui, '..');
  const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => readFileSync(join(source, file), 'utf8'))
    .join('\n');
  const classes = found(code, /<p className=([^>]+)>\{t\('[\w.]*[iI]ntro'/g);
  expect(classes.length).toBeGreaterThan(10);
  expect([...new Set(classes)]).toEqual(['"intro"']);
});
