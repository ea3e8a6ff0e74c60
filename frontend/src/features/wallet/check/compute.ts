import type { Outcome, Task } from '@/proof/check';
import type { Answer } from '@/proof/worker';
import ProofWorker from '@/proof/worker?worker';

/** Nothing was found out: neither that it holds, nor that it does not. */
export class NotComputed extends Error {}

/** Checks beside the page, which stays responsive. */
export function compute(
  task: Task,
  signal: AbortSignal,
  onProgress: (percent: number) => void,
): Promise<Outcome> {
  const worker = new ProofWorker();
  const outcome = new Promise<Outcome>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if ('progress' in data) onProgress(data.progress);
      else if ('outcome' in data) resolve(data.outcome);
      else reject(new NotComputed(data.failure));
    };
    worker.onerror = ({ message }) => reject(new NotComputed(message));
    signal.addEventListener('abort', () => reject(new NotComputed('stopped')));
  });
  worker.postMessage(task);
  return outcome.finally(() => worker.terminate());
}
