import type { Case, Outcome } from '@/proof/check';
import type { Month, MonthRead } from '@/proof/month';
import type { Answer, Question } from '@/proof/worker';
import ProofWorker from '@/proof/worker?worker';

/** The computation did not end, so it is unknown whether the month holds. */
class NotComputed extends Error {}

type Progress = (percent: number) => void;

/** More workers would not help: each holds a file, and a phone has few fast cores. */
const most = 4;

export const readersFor = (months: number) =>
  Math.max(1, Math.min(most, months, navigator.hardwareConcurrency ?? 1));

/** Workers, so that the page stays responsive. They live until the check ends or is stopped. */
export class Crew {
  private readonly workers = new Map<string, Worker>();

  constructor(private readonly signal: AbortSignal) {}

  /** Each reader takes one month after the other. */
  read(reader: number, month: Month, onProgress: Progress): Promise<MonthRead> {
    return this.ask(`reader ${reader}`, { kind: 'read', ask: month }, onProgress);
  }

  judge(one: Case): Promise<Outcome> {
    return this.ask('judge', { kind: 'judge', ask: one }, () => {});
  }

  end() {
    for (const worker of this.workers.values()) worker.terminate();
    this.workers.clear();
  }

  private ask<T extends MonthRead | Outcome>(
    name: string,
    question: Question,
    onProgress: Progress,
  ): Promise<T> {
    const worker = this.workers.get(name) ?? new ProofWorker();
    this.workers.set(name, worker);
    return new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new NotComputed(why));
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        if ('progress' in data) onProgress(data.progress);
        else if ('answer' in data) resolve(data.answer as T);
        else fail(data.failure);
      };
      worker.onerror = ({ message }) => fail(message);
      worker.onmessageerror = () => fail('an answer could not be read');
      this.signal.addEventListener('abort', () => fail('stopped'), { once: true });
      if (this.signal.aborted) fail('stopped');
      else worker.postMessage(question);
    });
  }
}
