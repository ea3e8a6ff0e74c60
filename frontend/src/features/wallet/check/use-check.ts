import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '@/api/call';
import { type Download, fetchProof } from '@/api/download';
import { ApiError, isRefusal } from '@/api/errors';
import { session } from '@/api/session';
import type { LogState } from '@/api/types';
import type { Outcome } from '@/proof/check';
import { compute } from './compute';
import { forgetWitnessed, keepWitnessed, readWitnessed, type Witnessed } from './kept';
import { fetchLogKeys, fetchLogState } from './log';
import { monthNow, readLines, screenBalances } from './screen-lines';

export type Checked = { month: string; outcome: Outcome; file: Download };

export type Step = 'file' | 'lines' | 'compute';
export type State =
  | { phase: 'idle' }
  | {
      phase: 'running';
      month: string;
      at: number;
      of: number;
      step: Step;
      percent: number;
      bytes: number;
    }
  /** `before` is what the device had kept when it began. */
  | {
      phase: 'done';
      checked: readonly Checked[];
      log: LogState | null;
      before: Witnessed | null;
      kept: boolean;
    }
  /** Something was not answered or computed, so nothing is known. The server's words, if it refused. */
  | { phase: 'unknown'; refusal: string | null };

/** Checks months one after another, and stops at the first that does not hold. */
export function useCheck() {
  const [state, setState] = useState<State>({ phase: 'idle' });
  const [kept, setKept] = useState<Witnessed | null>(null);
  const running = useRef<AbortController | null>(null);
  const user = session.get().user?.id ?? '';

  useEffect(() => {
    // Without storage, as in a private window, nothing is kept.
    readWitnessed(user).then(setKept, () => {});
    return () => running.current?.abort();
  }, [user]);

  const start = async (months: readonly string[]) => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const report = (next: State) => {
      if (!signal.aborted) setState(next);
    };
    try {
      const done = await checkMonths(user, months, signal, report);
      report(done);
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

async function checkMonths(
  user: string,
  months: readonly string[],
  signal: AbortSignal,
  report: (state: State) => void,
): Promise<State> {
  const before = await readWitnessed(user).catch(() => null);
  let known = before;
  let kept = true;
  const [keys, log] = await Promise.all([fetchLogKeys(signal), fetchLogState(signal)]);
  const witnesses = log?.witnesses.map(({ key }) => key) ?? [];
  const checked: Checked[] = [];
  for (const [at, month] of months.entries()) {
    const tell = (step: Step, percent = 0, bytes = 0) =>
      report({ phase: 'running', month, at, of: months.length, step, percent, bytes });
    tell('file');
    // Before the file, which then has all that led to them.
    const property =
      month === monthNow(new Date())
        ? await call('GET', '/user/property', { signal, inline: ['all'] })
        : null;
    const onProgress = (bytes: number) => tell('file', 0, bytes);
    const file = await fetchProof(month, { signal, onProgress }).catch((error) => {
      // An account may have months before its first movement.
      if (months.length > 1 && isRefusal(error, 'not_in_public_log')) return null;
      throw error;
    });
    if (!file) continue;
    tell('lines');
    const lines = await readLines(month, signal);
    tell('compute');
    const task = {
      file: file.file,
      book: Number(user),
      month,
      keys,
      witnesses,
      kept: known,
      lines,
      balances: property && screenBalances(property),
    };
    const outcome = await compute(task, signal, (percent) => tell('compute', percent));
    checked.push({ month, outcome, file });
    if (outcome.outcome !== 'passed') break;
    known = { ...outcome.keep, at: Date.now(), size: outcome.size };
    kept = await keepWitnessed(user, known).then(
      () => true,
      () => false,
    );
  }
  return { phase: 'done', checked, log, before, kept };
}
