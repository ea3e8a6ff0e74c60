// @vitest-environment node
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const limit = 4_096;

async function built(mode: string) {
  const folder = await mkdtemp(join(tmpdir(), 'placard-tag-'));
  const config = ['--config', 'tag/vite.config.ts', '--mode', mode];
  await promisify(execFile)('npx', ['vite', 'build', ...config, '--outDir', folder]);
  const code = await readFile(join(folder, `${mode}.js`), 'utf8');
  await rm(folder, { recursive: true });
  return code;
}

it.each(['tag', 'frame'])('%s is one small file that leaves no global behind', async (mode) => {
  const code = await built(mode);
  const weight = gzipSync(code, { level: 9 }).length;
  expect(weight).toBeGreaterThan(200);
  expect(weight).toBeLessThan(limit);
  expect(code).not.toMatch(/\bimport\b/);
  // Nothing is exported, so the wrapper assigns no name.
  expect(code).toMatch(/^(?:"use strict";)?\(\s*(?:function|\(\))/);
});
