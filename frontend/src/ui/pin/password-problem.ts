import type { TFunction } from 'i18next';
import { ApiError, NetworkError } from '@/api/errors';
import { networkText } from '@/api/status-text';
import { waitingTime } from '@/ui/waiting-time';

/**
 * The text under the field of a refused transaction password. Any refusal counts as a wrong
 * password, as specified. A lost connection and a busy server say nothing about the digits.
 */
export function passwordProblem(error: unknown, t: TFunction): string {
  if (error instanceof NetworkError) return networkText(error, t, 'ui.passwordUnchecked');
  if (!(error instanceof ApiError)) return t('ui.passwordUnchecked');
  const { attempts_left: left, retry_after: wait } = error.data;
  if (error.error === 'pay_password_locked' && typeof wait === 'number') {
    const { inHours, count } = waitingTime(wait);
    return t(inHours ? 'ui.passwordLockedHours' : 'ui.passwordLockedMinutes', { count });
  }
  if (error.error === 'wrong_pay_password' && typeof left === 'number') {
    return t('ui.passwordWrongLeft', { count: left });
  }
  return error.msg || t('ui.passwordWrong');
}
