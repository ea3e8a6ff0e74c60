import { call } from '@/api/call';
import { forgetDrafts } from '@/shared/forms/draft';
import { clearSeenFlags } from './seen-flag';

/**
 * Ends the session at the server and forgets what belongs to its user; the caller then replaces the
 * session here. The call reads the token at once, and nobody waits for its answer.
 */
export function leaveAccount() {
  void call('POST', '/auth/logout', { inline: ['all'] }).catch(() => {});
  forgetAccount();
}

/** Clears what the device keeps for a user until the logout. */
export function forgetAccount() {
  forgetDrafts();
  clearSeenFlags();
}
