import type { ParseKeys, TFunction } from 'i18next';
import { bcp47 } from '@/i18n/languages';
import { withOwnBlank } from '@/i18n/own-blank';
import { sentences } from '@/i18n/sentences';
import { currentLanguage } from '@/i18n/texts';
import type { NetworkError } from './errors';

/** HTTP's own reason phrases are English, and tell a reader nothing. */
export function statusKey({ status }: NetworkError) {
  if (status === 429) return 'tooMany' as const;
  return [502, 503, 504].includes(status) ? ('unavailable' as const) : ('error' as const);
}

/** The terms in the text of a status: when to try again, such as "in 15 minutes". */
export function statusTerms({ retryAfter }: NetworkError) {
  const minutes = Math.max(1, Math.ceil((retryAfter ?? 0) / 60));
  const inHours = minutes > 120;
  const lang = currentLanguage();
  const form = new Intl.RelativeTimeFormat(bcp47(lang));
  const when = inHours
    ? form.format(Math.ceil(minutes / 60), 'hour')
    : form.format(minutes, 'minute');
  return { when: withOwnBlank(when, lang) };
}

/** A form's message: if a server answered, the connection is not called lost. */
export function networkText(error: NetworkError, t: TFunction, lost: ParseKeys): string {
  if (!error.lost) return t(`app.error.${statusKey(error)}`, statusTerms(error));
  return lostText(error, t, lost);
}

/**
 * If something may hold requests back, the text names it, because trying again alone would not
 * help.
 */
export function lostText(error: NetworkError, t: TFunction, lost: ParseKeys): string {
  return error.heldBack ? sentences(t(lost), t('app.error.adBlocker')) : t(lost);
}
