import type { QueryCache } from '@tanstack/react-query';
import { isHeldBack, NetworkError } from '@/api/errors';

/** The time of the oldest visible figures that could not be refreshed, or another state. */
export type Lost = number | 'nothing' | 'connected';

export function isLost(lost: Lost): lost is Exclude<Lost, 'connected'> {
  return lost !== 'connected';
}

/** Whether something answered that is not the server, for example a proxy during an upgrade. */
export function isAnswered(cache: QueryCache): boolean {
  const inView = cache.getAll().filter((query) => query.isActive());
  const gone = inView.flatMap(({ state: { error } }) => (isUnreachable(error) ? [error] : []));
  return gone.length > 0 && gone.every((error) => !(error as NetworkError).lost);
}

/** Whether the device itself held back what is in view. */
export function anyHeldBack(cache: QueryCache): boolean {
  return cache.getAll().some((query) => query.isActive() && isHeldBack(query.state.error));
}

export function lostFigures(cache: QueryCache, online: boolean): Lost {
  const inView = cache.getAll().filter((query) => query.isActive());
  const failed = inView.filter(({ state }) => isUnreachable(state.error));
  const times = (online ? failed : inView).flatMap(({ state }) => state.dataUpdatedAt || []);
  if (times.length) return Math.min(...times);
  return online ? 'connected' : 'nothing';
}

/** The server cannot be reached, or requests are paused; a refusal is an answer. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof NetworkError && error.status !== 429;
}
