import type { Plugin } from 'vite';

type Texts = Record<string, unknown>;

/**
 * What the app itself doesn't say: messages that the server sends ready-made, and what a page says
 * where the app cannot run (old-browser.ts).
 */
export const notInApp = ['errors', 'opening', 'server'];

/** The texts of pages that need no login. */
const first: Record<string, readonly string[]> = {
  app: [
    'name',
    'simulated',
    'readOnly',
    'bar',
    'language',
    'logout',
    'service',
    'error',
    'failed',
    'notFound',
  ],
  auth: [
    'loginTitle',
    'loginText',
    'login',
    'noAccount',
    'toRegister',
    'registerTitle',
    'registerText',
    'register',
    'hasAccount',
    'toLogin',
    'forgot',
    'username',
    'usernameProblem',
    'password',
    'confirmPassword',
    'email',
    'phone',
    'phoneHint',
    'licenseKey',
    'licenseKeyHint',
    'noCode',
    'required',
    'mismatch',
    'badEmail',
    'badPhone',
    'entryOfflineText',
    'switchTitle',
    'switchText',
    'switchConfirm',
    'switchStay',
    'askService',
    'rule',
  ],
  // What the forms there can be refused for.
  fields: [
    'required',
    'invalid',
    'invalid_type',
    'invalid_email',
    'invalid_phone',
    'too_long',
    'too_short',
    'too_common',
    'mismatch',
    'looks_like_another',
    'reserved',
    'unknown_language',
  ],
  ui: ['cancel', 'close', 'confirm', 'loading', 'reload', 'requestFailed', 'showPassword'],
};

type Part = 'first' | 'rest';

export function partOf(texts: Texts, part: Part): Texts {
  const parts = Object.entries(texts)
    .filter(([section]) => !notInApp.includes(section))
    .map(([section, keys]) => [section, sectionPart(section, keys as Texts, part)] as const);
  return Object.fromEntries(parts.filter(([, keys]) => Object.keys(keys).length > 0));
}

function sectionPart(section: string, texts: Texts, part: Part): Texts {
  const kept = first[section] ?? [];
  const wanted = Object.entries(texts).filter(([key]) => kept.includes(key) === (part === 'first'));
  return Object.fromEntries(wanted);
}

/** A phone loads only the app's own texts, and before the login only those for it. */
export function appTexts(): Plugin {
  return {
    name: 'placard:app-texts',
    enforce: 'pre',
    transform(code, id) {
      const [, part] = /\/locales\/\w+\.json\?(first|rest)$/.exec(id) ?? [];
      if (!part) return null;
      const module = `export default ${JSON.stringify(partOf(JSON.parse(code), part as Part))}`;
      return { code: module, map: null, moduleType: 'js' };
    },
  };
}
