import type { ParseKeys, TFunction } from 'i18next';
import type { NetworkError } from './errors';

/** HTTP's own reason phrase; HTTP/2 has none. */
export function statusKey({ status }: NetworkError) {
  return status === 429 ? ('tooMany' as const) : ('error' as const);
}

/** A form's message: if a server answered, the connection is not called lost. */
export function networkText(error: NetworkError, t: TFunction, lost: ParseKeys): string {
  return error.lost ? t(lost) : error.message || t(`app.error.${statusKey(error)}`);
}
