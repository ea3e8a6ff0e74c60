import { reloadConfig } from '@/api/queries/cached-config';
import { session } from '@/api/session';
import { languageKey, showStoredLanguage } from '@/i18n/texts';

/** What another tab has stored is so here too; `changed` is its name, or null for any. */
function follow(changed: string | null) {
  session.reload();
  reloadConfig();
  // Without its texts the page stays as it is.
  if (!changed || changed === languageKey) showStoredLanguage().catch(() => {});
}

/** Who is signed in, what is known of the server, and the language. */
export function followOtherTabs() {
  window.addEventListener('storage', ({ key }) => follow(key));
  // A page that was put away for Back has heard of nothing meanwhile.
  window.addEventListener('pageshow', ({ persisted }) => persisted && follow(null));
}
