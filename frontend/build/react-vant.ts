import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { Plugin } from 'vite';

/**
 * react-vant imports a component's CSS in its `index.js`, a file the package does not list under
 * `sideEffects`: tree shaking skips it, and the CSS of half the components silently disappears.
 * So the CSS is tied to the file that implements the component, which survives whenever it is used.
 * It goes into a cascade layer above base.css, which lets our own unlayered rules win without
 * fighting specificity. Which sheet comes first is not known, so that each says the order.
 */
const layered = (css: string) => `@layer reset, react-vant;\n@layer react-vant {\n${css}\n}`;
const component = `${sep}react-vant${sep}es${sep}`;

function hasOwnStyle(file: string): boolean {
  const named = /^[A-Z].*\.js$/.test(basename(file)) && basename(file) !== 'PropsType.js';
  return named && existsSync(join(dirname(file), 'style', 'index.css'));
}

function css(): Plugin {
  return {
    name: 'placard:react-vant-css',
    enforce: 'pre',
    transform(code, id) {
      const file = id.split('?')[0] ?? id;
      if (!file.includes(component)) return null;
      if (file.endsWith('.css')) return { code: layered(code), map: null };
      if (!hasOwnStyle(file)) return null;
      return { code: `import './style/index.css';\n${code}`, map: null };
    },
  };
}

/** What it brings and nobody sees, and the empty file that takes its place. */
const unseen: Record<string, string> = {
  // Its own texts are Chinese and never shown (ui/Theme.tsx).
  '../locale': 'no-texts.ts',
  // What is empty has a picture of ours (ui/feedback/State.tsx).
  './Network': 'no-picture.ts',
};

function withoutUnseen(): Plugin {
  return {
    name: 'placard:react-vant-unseen',
    enforce: 'pre',
    resolveId(id, importer) {
      const file = importer?.includes(component) && unseen[id];
      return file ? new URL(file, import.meta.url).pathname : null;
    },
  };
}

/** What the build changes in react-vant. */
export const reactVant = (): Plugin[] => [css(), withoutUnseen()];
