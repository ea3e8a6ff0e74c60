import { type Case, judge, type Outcome } from './check';
import { type Month, type MonthRead, readMonth } from './month';

/** Months are read by several workers at once, and judged one after the other. */
export type Question = { kind: 'read'; ask: Month } | { kind: 'judge'; ask: Case };

export type Answer =
  | { progress: number }
  | { answer: MonthRead | Outcome }
  /** The computation failed: the connection was lost, or the device ran out of memory. */
  | { failure: string };

const shares = 100;

/**
 * Reads a tile or a checkpoint of the log. If the log has none, the answer is null; if it cannot be
 * fetched, this throws.
 */
async function readTile(path: string): Promise<Uint8Array | null> {
  const response = await fetch(`/log/${path}`);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Answers a question, with its progress before. */
export async function answer(question: Question, send: (answer: Answer) => void) {
  let told = 0;
  const progress = (share: number) => {
    const now = Math.floor(share * shares);
    if (now > told) send({ progress: now });
    told = now;
  };
  try {
    const found =
      question.kind === 'read'
        ? await readMonth(question.ask, progress)
        : await judge(question.ask, readTile);
    send({ answer: found });
  } catch (error) {
    send({ failure: String(error) });
  }
}

self.onmessage = ({ data }: MessageEvent<Question>) =>
  void answer(data, (one) => self.postMessage(one));
