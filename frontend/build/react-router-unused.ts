import type { Plugin } from 'vite';

const library = /\/node_modules\/react-router\/dist\/.*\.mjs$/;
const made = /= (React\d*\.(?:createContext|forwardRef|memo)\()/g;
const named = /^\w+\.displayName = "\w+";$/gm;
const amended = /^(var (\w+) = )(class [\s\S]*?\n\});\n\2\.contextType = (\w+);$/m;

/**
 * The router is one large file whose components are made by calls and then written to, which the
 * bundler must keep as long as it cannot know that this does nothing else. Told so, it leaves out
 * forms, prefetching and data routes, which nothing here uses: a tenth of what is loaded before
 * the login. Where a later version looks different, `npm run size` tells.
 */
export function reactRouterUnused(): Plugin {
  return {
    name: 'placard:react-router-unused',
    apply: 'build',
    transform(code, id) {
      if (!library.test(id)) return null;
      const told = code
        .replace(made, '= /* @__PURE__ */ $1')
        .replace(named, '')
        .replace(amended, '$1/* @__PURE__ */ Object.assign($3, { contextType: $4 });')
        .replace('var ENABLE_DEV_WARNINGS = true', 'var ENABLE_DEV_WARNINGS = false');
      return { code: told, map: null };
    },
  };
}
