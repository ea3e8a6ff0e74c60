import { loadAllTexts } from '@/i18n/texts';
import { PublisherPage } from './PublisherPage';

/** Without a login, only the texts of the login page are loaded. */
export async function openPublisherPage() {
  await loadAllTexts();
  return PublisherPage;
}
