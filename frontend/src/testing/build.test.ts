// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { describe, expect, it } from 'vitest';
import { leanReactRouter } from '../../build/react-router';
import { reactVant } from '../../build/react-vant';
import manifest from '../../package.json';

const require = createRequire(import.meta.url);
const folder = (name: string) => dirname(require.resolve(`${name}/package.json`));
const version = (name: string) =>
  JSON.parse(readFileSync(join(folder(name), 'package.json'), 'utf8')).version;

// biome-ignore lint/suspicious/noExplicitAny: a hook of a plugin is called as the bundler would
const hook = (plugin: Plugin | undefined, name: 'transform' | 'resolveId') => plugin?.[name] as any;

/** The files of React Router that a build reads. */
function routerFiles(): [string, string][] {
  const files = join(folder('react-router'), 'dist/production');
  const all = readdirSync(files).filter((file) => file.endsWith('.mjs'));
  return all.map((file) => [join(files, file), readFileSync(join(files, file), 'utf8')]);
}

describe('what the build changes in libraries', () => {
  it.each(['react-router-dom', 'react-vant'] as const)('is of the %s that is pinned', (name) => {
    expect(version(name)).toBe(manifest.dependencies[name]);
  });

  it('leaves nothing in React Router that keeps its links and forms', () => {
    const transform = hook(leanReactRouter(), 'transform');
    const before = routerFiles()
      .map(([, code]) => code)
      .join('\n');
    const after = routerFiles()
      .map(([file, code]) => transform(code, file).code)
      .join('\n');
    expect(before).toMatch(/^Link\.displayName = /m);
    expect(before).toMatch(/= React\d*\.forwardRef\(/);
    expect(after).not.toMatch(/^\w+\.displayName = /m);
    expect(after).not.toMatch(/= React\d*\.forwardRef\(/);
    expect(after).not.toMatch(/^ +warning\(/m);
    for (const unused of [' || parseHydrationData()', 'if (init.inst', 'if (this.context']) {
      expect(before).toContain(unused);
      expect(after).not.toContain(unused);
    }
    expect(after.match(/__PURE__/g)?.length).toBeGreaterThan(5);
  });

  it("takes away the texts and a picture of react-vant, and nobody else's", () => {
    const resolveId = hook(
      reactVant().find((plugin) => plugin.name === 'placard:react-vant-unseen'),
      'resolveId',
    );
    const theirs = (file: string) => join(folder('react-vant'), 'es', file);
    const taken = [
      ['../locale', 'config-provider/ConfigProviderContext.js', /no-texts\.ts$/],
      ['./Network', 'empty/Empty.js', /no-picture\.ts$/],
    ] as const;
    for (const [id, file, empty] of taken) {
      expect(readFileSync(theirs(file), 'utf8')).toContain(`from '${id}'`);
      expect(resolveId(id, theirs(file))).toMatch(empty);
      expect(resolveId(id, '/app/src/features/help/Faq.tsx')).toBeNull();
    }
    expect(resolveId('../utils', theirs('empty/Empty.js'))).toBeNull();
  });
});
