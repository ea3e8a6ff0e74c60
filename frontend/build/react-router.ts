import type { Plugin } from 'vite';

/**
 * React Router's entry points name its development files alone. Its warnings are for developers,
 * and its `displayName` lines hold its own links and forms, which nothing here uses, against tree
 * shaking. All together are 5 KB of the first page.
 */
export function leanReactRouter(): Plugin {
  return {
    name: 'placard:lean-react-router',
    apply: 'build',
    enforce: 'pre',
    async resolveId(id, importer, options) {
      if (!/^react-router(\/dom)?$/.test(id)) return null;
      const found = await this.resolve(id, importer, { ...options, skipSelf: true });
      return found && { ...found, id: found.id.replace('/dist/development/', '/dist/production/') };
    },
    transform(code, id) {
      if (!id.includes('/react-router/dist/production/')) return null;
      const lean = code
        .replace(/^\w+\.displayName = .*;$/gm, '')
        .replace(/= (React\d*\.forwardRef\()/g, '= /* @__PURE__ */ $1')
        .replace(/^( +)warning\(/gm, '$1/* @__PURE__ */ warning(');
      return { code: lean, map: null };
    },
  };
}
