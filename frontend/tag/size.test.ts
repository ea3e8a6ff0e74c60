// @vitest-environment node
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, it } from 'vitest';

const limit = 4_096;

async function built(mode: string) {
  const configFile = new URL('vite.config.ts', import.meta.url).pathname;
  const made = await build({ configFile, mode, logLevel: 'silent', build: { write: false } });
  const output = (Array.isArray(made) ? made : [made]) as Rolldown.RolldownOutput[];
  const chunks = output.flatMap((one) => one.output).filter((one) => one.type === 'chunk');
  return chunks.map((chunk) => chunk.code).join('');
}

it.each(['tag', 'frame'])('%s is one small file and leaves no global behind', async (mode) => {
  const code = await built(mode);
  const weight = gzipSync(code, { level: 9 }).length;
  expect(weight).toBeGreaterThan(200);
  expect(weight).toBeLessThan(limit);
  expect(code).not.toMatch(/\bimport\b/);
  // Nothing is exported, so that the wrapper assigns no name.
  expect(code.trim()).toMatch(/^(?:"use strict";)?[!(]?\(?function|^\(\(\)|^\(function/);
});
