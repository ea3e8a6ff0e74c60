import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import { session } from '@/api/session';
import { checkMonths, type Done } from './check-months';
import { forgetWitnessed, keepWitnessed, readWitnessed, type Witnessed } from './kept';
import type { Running } from './progress';

export type State =
  | { phase: 'idle' }
  | ({ phase: 'running' } & Running)
  | ({ phase: 'done' } & Done)
  /** Something was not answered or computed, so nothing is known. The server's words, if it refused. */
  | { phase: 'unknown'; refusal: string | null };

/** A check of the user's books, and what this device keeps of the log. */
export function useCheck() {
  const [state, setState] = useState<State>({ phase: 'idle' });
  const [kept, setKept] = useState<Witnessed | null>(null);
  const running = useRef<AbortController | null>(null);
  const user = session.get().user?.id ?? '';

  useEffect(() => {
    // Without storage, as in a private window, nothing is remembered.
    readWitnessed(user).then(setKept, () => {});
    return () => running.current?.abort();
  }, [user]);

  const start = async (months: readonly string[], isWhole: boolean) => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const report = (next: State) => {
      if (!signal.aborted) setState(next);
    };
    try {
      const running = (now: Running) => report({ phase: 'running', ...now });
      const done = await checkMonths({ user, months, isWhole }, signal, running);
      report({ phase: 'done', ...done });
    } catch (error) {
      report({ phase: 'unknown', refusal: error instanceof ApiError ? error.msg : null });
    }
    if (!signal.aborted) setKept(await readWitnessed(user).catch(() => null));
  };
  const stop = useCallback(() => {
    running.current?.abort();
    setState({ phase: 'idle' });
  }, []);
  const forget = async () => {
    await forgetWitnessed(user);
    setKept(null);
  };
  const trust = async (next: Witnessed) => {
    await keepWitnessed(user, next);
    setKept(next);
    setState({ phase: 'idle' });
  };
  return { state, kept, start, stop, forget, trust };
}
