import type { TFunction } from 'i18next';
import { ApiError, type NetworkError } from '@/api/errors';
import { networkText } from '@/api/status-text';
import { waitingTime } from '@/ui/waiting-time';

/** Why a code was refused, with the attempts left or the time to wait. */
export function codeProblem(error: ApiError | NetworkError, t: TFunction): string | null {
  if (!(error instanceof ApiError)) return networkText(error, t, 'exchange.problem.offline');
  const { attempts_left: left, retry_after: wait } = error.data;
  if (error.error === 'acceptance_code_locked' && typeof wait === 'number') {
    const { inHours, count } = waitingTime(wait);
    return t(inHours ? 'exchange.problem.lockedHours' : 'exchange.problem.lockedMinutes', {
      count,
    });
  }
  if (error.error === 'acceptance_code_wrong') {
    const again = error.msg || t('exchange.problem.wrongCode');
    return typeof left === 'number' && left > 0
      ? t('exchange.problem.triesLeft', { message: again, count: left })
      : again;
  }
  return error.code === 400 ? t('exchange.problem.wrongCode') : null;
}
