import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin, ResolvedConfig } from 'vite';

const text = /\.(?:js|css|html|svg|webmanifest)$/;

/** Compressed once, here, instead of in haste by the server whenever somebody waits for it. */
export function compressed(): Plugin {
  let config: ResolvedConfig;
  const compress = () => {
    const folder = config.build.outDir;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!text.test(name)) continue;
      const whole = readFileSync(join(folder, name));
      const small = brotliCompressSync(whole);
      if (small.length < whole.length * 0.9) writeFileSync(join(folder, `${name}.br`), small);
    }
  };
  return {
    name: 'placard:compressed',
    apply: 'build',
    enforce: 'post',
    configResolved(resolved) {
      config = resolved;
    },
    // The worker is written last of all.
    closeBundle: { order: 'post', sequential: true, handler: compress },
  };
}
