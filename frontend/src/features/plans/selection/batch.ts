import i18next from 'i18next';
import { ApiError, isRefusal, NetworkError } from '@/api/errors';
import { onOtherSession, session } from '@/api/session';
import { networkText } from '@/api/status-text';
import type { ListedPlan } from '@/api/types';
import { createStore } from '@/external-store';
import { passwordProblem } from '@/ui/pin/password-problem';

type Deed = 'pause' | 'resume' | 'add';

/** The outcome of one plan: the reason why it was not done, or null. */
export type Outcome = { plan: ListedPlan; problem: string | null };
type Batch = { deed: Deed; total: number; outcomes: Outcome[]; running: boolean };

const batch = createStore<Batch | null>(null);
// The next user sees nothing of it, and nothing more is sent.
onOtherSession(() => batch.set(null));

export const useBatch = batch.use;

/** Its summary was read. */
export const closeBatch = () => batch.set(null);

export const failedOf = ({ outcomes }: Batch) => outcomes.filter(({ problem }) => problem !== null);

/**
 * Does the same action with several plans, one after the other. The batch outlives the page, which
 * shows its progress and outcomes whenever it is open. Only one can run at a time.
 */
export async function runBatch(
  deed: Deed,
  plans: readonly ListedPlan[],
  send: (plan: ListedPlan) => Promise<unknown>,
): Promise<void> {
  if (batch.get()?.running || plans.length === 0) return;
  const { token } = session.get();
  const outcomes: Outcome[] = [];
  const show = (running: boolean) =>
    batch.set({ deed, total: plans.length, outcomes: [...outcomes], running });
  let stopped = false;
  show(true);
  window.addEventListener('beforeunload', warn);
  for (const plan of plans) {
    const failure: Error | null = stopped ? null : await send(plan).then(() => null, asError);
    // Another session may have begun meanwhile, and it must not see this batch.
    if (session.get().token !== token) break;
    const problem = stopped ? i18next.t('plans.selection.notSent') : failure && reason(failure);
    outcomes.push({ plan, problem });
    // The same refusal would follow for each of the other plans, and would be counted.
    stopped ||= isPasswordRefused(failure) || isTooMany(failure);
    show(true);
  }
  window.removeEventListener('beforeunload', warn);
  if (session.get().token === token) show(false);
}

/** Closing the tab would leave the rest undone. */
const warn = (event: BeforeUnloadEvent) => event.preventDefault();

const asError = (cause: unknown) => cause as Error;

/** The server's own words, where it said some. */
function reason(failure: Error): string {
  const { t } = i18next;
  if (isTooMany(failure)) return networkText(failure, t, 'plans.selection.lost');
  if (!(failure instanceof ApiError)) return t('plans.selection.lost');
  if (isPasswordRefused(failure)) return passwordProblem(failure, t);
  return failure.msg || t('app.error.system');
}

/** Unlike after another status, nothing was done. */
const isTooMany = (failure: Error | null): failure is NetworkError =>
  failure instanceof NetworkError && failure.status === 429;

const isPasswordRefused = (failure: Error | null): boolean =>
  isRefusal(failure, 'wrong_pay_password', 'pay_password_locked');
