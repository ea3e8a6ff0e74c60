import type { Plugin } from 'vite';

/** The server's own sections of the shared files: messages it sends ready-made. */
const serverOnly = ['errors', 'server'];

/** The phone loads only the texts that the app itself shows. */
export function appTexts(): Plugin {
  return {
    name: 'placard:app-texts',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/locales\/\w+\.json$/.test(id)) return null;
      const texts = Object.entries(JSON.parse(code) as Record<string, unknown>);
      const kept = texts.filter(([section]) => !serverOnly.includes(section));
      return { code: JSON.stringify(Object.fromEntries(kept)), map: null };
    },
  };
}
