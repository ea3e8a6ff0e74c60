import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sentences } from './sentences';

describe('two sentences', () => {
  it('are parted by a blank, but not after a full-width mark', () => {
    expect(sentences('It is kept.', 'Try again.')).toBe('It is kept. Try again.');
    expect(sentences('残っています。', 'お試しください。')).toBe('残っています。お試しください。');
    expect(sentences('僅在帳目中：', '儲值')).toBe('僅在帳目中：儲值');
  });

  it('are joined nowhere else', () => {
    const source = join(import.meta.dirname, '..');
    const blank = /\{t\([^{}]*\)\} \{t\(|` \$\{t\(|\)\} \$\{[^}]*\bt\(/;
    const strays = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .filter((file) => blank.test(readFileSync(join(source, file), 'utf8')));
    expect(strays).toEqual([]);
  });
});
