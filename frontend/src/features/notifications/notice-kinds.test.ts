// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aNotification } from '@/testing/data';
import { lookOf } from './notice-kinds';

const rust = join(import.meta.dirname, '../../../../crates/notifications/src/kind.rs');
const kinds = [...readFileSync(rust, 'utf8').matchAll(/^ {4}[A-Z]\w+ "(\w+)" \{/gm)].map(
  ([, key]) => key as string,
);

describe('the sign of a notice', () => {
  it('is known for every kind that the server sends', () => {
    expect(kinds.length).toBeGreaterThan(30);
    const plain = lookOf({ ...aNotification, category: 'system_announcement', kind: null });
    // A kind that is not known looks like its category.
    const unknown = kinds.filter(
      (kind) => lookOf({ ...aNotification, category: 'system_announcement', kind }) === plain,
    );
    expect(unknown).toEqual([]);
  });
});
