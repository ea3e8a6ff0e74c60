/* The verifier as the page has it, in one file, for programs outside of a browser. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

export async function proofCode(...files) {
  const outDir = mkdtempSync(join(tmpdir(), 'placard-proof-'));
  const root = join(import.meta.dirname, '..');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: {
        input: Object.fromEntries(
          files.map((file) => [file, join(root, 'src/proof', `${file}.ts`)]),
        ),
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  const modules = files.map((file) => import(pathToFileURL(join(outDir, `${file}.mjs`)).href));
  return Object.assign({}, ...(await Promise.all(modules)));
}
