import { currentLanguage } from '@/i18n/texts';
import { readQuery } from './read';

/** Titles and rules are in the reader's language. */
export function activitiesQuery() {
  return readQuery(['activities', currentLanguage()], 'GET', '/activities');
}
