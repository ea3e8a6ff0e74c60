import type { ParseKeys, TFunction } from 'i18next';
import type { NetworkError } from './errors';

/** HTTP's own reason phrases are English, and tell a reader nothing. */
export function statusKey({ status }: NetworkError) {
  if (status === 429) return 'tooMany' as const;
  return [502, 503, 504].includes(status) ? ('unavailable' as const) : ('error' as const);
}

/** A form's message: if a server answered, the connection is not called lost. */
export function networkText(error: NetworkError, t: TFunction, lost: ParseKeys): string {
  return error.lost ? t(lost) : t(`app.error.${statusKey(error)}`);
}
