import { build } from 'vite';

/** A program for a page, as a publisher builds it of packages: one script, which brings its styles. */
export async function script(entry: string, without: string[] = []) {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      lib: { entry, formats: ['iife'], name: 'built' },
      rolldownOptions: { external: without },
    },
  });
  const [bundle] = Array.isArray(built) ? built : [];
  const output = bundle?.output ?? [];
  const code = output.flatMap((part) => (part.type === 'chunk' ? [part.code] : []));
  if (code.length !== 1) throw new Error(`${code.length} scripts were built`);
  const styles = output.flatMap((part) => (part.type === 'asset' ? [String(part.source)] : []));
  return [...styles.map(withStyle), ...code].join('\n');
}

function withStyle(css: string) {
  const add =
    'document.head.append(Object.assign(document.createElement("style"), { textContent: css }))';
  return `((css) => ${add})(${JSON.stringify(css)});`;
}
