import type { Plugin } from 'vite';

/** The server's own sections of the shared files: messages it sends ready-made. */
const serverOnly = ['errors', 'server'];

/** What a page needs that nobody has signed in to. */
const first = ['app', 'auth', 'fields', 'ui'];

const wanted = {
  first: (section: string) => first.includes(section),
  rest: (section: string) => !first.includes(section) && !serverOnly.includes(section),
};

/** A phone loads only the texts that the app itself shows, and before the login only those for it. */
export function appTexts(): Plugin {
  return {
    name: 'placard:app-texts',
    enforce: 'pre',
    transform(code, id) {
      const [, part] = /\/locales\/\w+\.json\?(first|rest)$/.exec(id) ?? [];
      if (!part) return null;
      const texts = Object.entries(JSON.parse(code) as Record<string, unknown>);
      const kept = texts.filter(([section]) => wanted[part as keyof typeof wanted](section));
      const module = `export default ${JSON.stringify(Object.fromEntries(kept))}`;
      return { code: module, map: null, moduleType: 'js' };
    },
  };
}
