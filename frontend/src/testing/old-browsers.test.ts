// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { source } from './source-files';

/** The files of the app with this end, without their comments. */
function files(end: RegExp): [file: string, text: string][] {
  const all = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const ours = all.filter((file) => end.test(file) && !/\.test(-d)?\.|^testing\//.test(file));
  return ours.map((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    return [file, text.replace(/\/\*.*?\*\/|^\s*\/\/.*$/gms, '')];
  });
}

const using = (end: RegExp, what: RegExp) =>
  files(end).flatMap(([file, text]) => (what.test(text) ? [file] : []));

// The bundler rewrites syntax for them, but adds no method and changes no selector.
describe("the oldest browsers of package.json's browserslist", () => {
  it('have every method that the app calls', () => {
    const newer =
      /\.(toReversed|toSorted|toSpliced|with|isWellFormed|toWellFormed|union|intersection|difference)\(|\b(Object|Map)\.groupBy\b|\bPromise\.(withResolvers|try)\b|\bAbortSignal\.(any|timeout)\b|\bURL\.(canParse|parse)\b|\bArray\.fromAsync\b|\bIntl\.(Segmenter|DurationFormat)\b|\bIterator\./;
    expect(newer.test('page.items.toReversed()')).toBe(true);
    expect(files(/\.tsx?$/).length).toBeGreaterThan(400);
    expect(using(/\.tsx?$/, newer)).toEqual([]);
  });

  it('show what is chosen, and all of a dialog, without :has(), which only spares some room', () => {
    expect(using(/\.css$/, /:has\(/).toSorted()).toEqual([
      'app/shell.css',
      'features/plans/filters/PlanFilters.module.css',
      'installed/notices.module.css',
      'ui/display/Disclosure.module.css',
    ]);
  });
});
