import { reloadConfig } from '@/api/queries/cached-config';
import { session } from '@/api/session';
import { languageKey, showStoredLanguage } from '@/i18n/texts';

/** Takes over what another tab has stored; `changed` is its name, or null for any. */
function follow(changed: string | null) {
  session.reload();
  reloadConfig();
  // If the texts cannot be loaded, the page keeps its language.
  if (!changed || changed === languageKey) showStoredLanguage().catch(() => {});
}

/** Follows other tabs in the session, the cached configuration and the language. */
export function followOtherTabs() {
  window.addEventListener('storage', ({ key }) => follow(key));
  // A page that was put away for Back has heard of nothing meanwhile.
  window.addEventListener('pageshow', ({ persisted }) => persisted && follow(null));
}
