import type { TFunction } from 'i18next';
import { ApiError, NetworkError } from '@/api/errors';
import { networkText } from '@/api/status-text';
import { waitingTime } from '@/ui/waiting-time';

/**
 * What a refused transaction password says under its field. Any refusal counts as a wrong password,
 * as specified; a lost connection, and a server that is busy or away, say nothing about the digits.
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
