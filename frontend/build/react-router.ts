import type { Plugin } from 'vite';

/**
 * React Router's entry points only name its development files. Its warnings are for developers, and
 * its `displayName` lines keep its own links and forms, which the app does not use, from being
 * tree-shaken. Nor does the app use what is for pages drawn by a server, and for measuring the router.
 * Together they are 6 KB of the first page.
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
        .replace(/^( +)warning\(/gm, '$1/* @__PURE__ */ warning(')
        .replaceAll(' || parseHydrationData()', '')
        .replace(/\b(this\.context|init\.instrumentations)(?=\)| &&)/g, 'false');
      return { code: lean, map: null };
    },
  };
}
