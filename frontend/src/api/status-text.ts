import type { ParseKeys, TFunction } from 'i18next';
import type { NetworkError } from './errors';

/** HTTP's own words; over HTTP/2 there are none. */
export function statusKey({ status }: NetworkError) {
  return status === 429 ? ('tooMany' as const) : ('error' as const);
}

/** What a form says: a server that answered was reached, and is not called a lost connection. */
export function networkText(error: NetworkError, t: TFunction, lost: ParseKeys): string {
  return error.lost ? t(lost) : error.message || t(`app.error.${statusKey(error)}`);
}
