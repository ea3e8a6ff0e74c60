import { loadAllTexts } from '@/i18n/texts';
import { ResetPage } from './ResetPage';

/** Without a login, only the texts of the login page are loaded. */
export async function openResetPage() {
  await loadAllTexts();
  return ResetPage;
}
