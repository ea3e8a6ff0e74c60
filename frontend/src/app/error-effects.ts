import i18next from 'i18next';
import { actOn, type Effects } from '@/api/error-actions';
import { ApiError, type NetworkError } from '@/api/errors';
import { cachedConfig } from '@/api/queries/cached-config';
import { session } from '@/api/session';
import { languageOf } from '@/i18n/first-language';
import { showAccountLanguage } from '@/i18n/texts';
import { barred } from '@/shared/account/barred';
import { nativeShell } from '@/shared/navigation/native-shell';
import { currentPlace, replacePage } from '@/shared/navigation/navigation';
import { openCustomerService } from '@/shared/service/customer-service';
import { showToast } from '@/ui/feedback/toast-store';

/**
 * The paths by which a native shell enters. Only the current address counts, because a user who
 * came this way may have moved on.
 */
const entryRoutes = ['/entry', '/ad-welcome'];

/** Their answers may be of another account than the one signed in: whom a ticket or a code is of. */
const ofOthers = ['/entry', '/reset-password'];

const effects: Effects = {
  toast: (text) => showToast(text, 'failure'),
  text: (key, terms) => i18next.t(`app.error.${key}`, terms ?? {}),
  async switchLanguage(lang) {
    const known = languageOf(lang, cachedConfig()?.client_language_map ?? []);
    if (known) await showAccountLanguage(known);
  },
  openCustomerService: (message) => openCustomerService({ message }),
  onEntryRoute: () => entryRoutes.includes(currentPlace().pathname),
  goToWelcomeKeepingQuery: () => replacePage(`/ad-welcome${currentPlace().search}`),
  endSession() {
    const { pathname, search } = currentPlace();
    session.expire();
    const { token, signInPath } = session.get();
    if (token) return;
    // After signing in again, the user continues where the session ended.
    replacePage(signInPath, { from: pathname + search });
    if (signInPath === '/ad-welcome') nativeShell()?.sessionEnded();
  },
};

export function reportCallError(error: ApiError | NetworkError) {
  const own = !ofOthers.includes(currentPlace().pathname);
  if (error instanceof ApiError && own && barred.note(error)) return;
  void actOn(error, effects);
}
