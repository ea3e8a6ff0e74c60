import { listQuery, readQuery } from '@/api/queries/read';
import { currentLanguage } from '@/i18n/texts';

/** Names, benefits and reasons are in the reader's language. */
export function levelQuery() {
  return readQuery(['level', currentLanguage()], 'GET', '/level');
}

export function creditQuery() {
  return listQuery(['credit', currentLanguage()], '/level/credit');
}
