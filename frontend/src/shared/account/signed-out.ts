import { session } from '@/api/session';
import { replacePage } from '@/shared/navigation/navigation';
import { showToast } from '@/ui/feedback/toast-store';

/** Long enough to be read on the next page. */
const toastMs = 5000;

/** Called when all sessions of the account have ended, including one on this device. */
export function showSignedOut(why: string) {
  session.clear();
  replacePage('/login');
  showToast(why, 'success', toastMs);
}
