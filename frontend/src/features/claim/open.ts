import { loadAllTexts } from '@/i18n/texts';
import { ClaimPage } from './ClaimPage';

/** Without a login, only the texts of the login page are loaded. */
export async function openClaimPage() {
  await loadAllTexts();
  return ClaimPage;
}
