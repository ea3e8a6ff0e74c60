// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const most = { files: 25, lines: 450 };

const code = ['src', 'gallery', 'e2e', 'engines', 'pictures', 'build'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.endsWith('openapi.d.ts'))
    .map((file) => join(folder, file)),
);

describe('the code of the app', () => {
  it('is spread over folders that one can take in at a glance', () => {
    const folders = [...new Set(code.map(dirname))];
    expect(folders.length).toBeGreaterThan(30);
    const filesIn = (folder: string) => code.filter((file) => dirname(file) === folder);
    expect(folders.filter((folder) => filesIn(folder).length > most.files)).toEqual([]);
  });

  it('stands in files that one can read at once', () => {
    const lines = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length;
    expect(code.filter((file) => lines(file) > most.lines)).toEqual([]);
  });
});
