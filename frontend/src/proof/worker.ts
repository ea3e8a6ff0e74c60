import { check, type Outcome, type Task } from './check';

export type Answer =
  | { progress: number }
  | { outcome: Outcome }
  /** It could not be checked: a connection was lost, or the device is at its end. */
  | { failure: string };

const shares = 100;

/** Reads a tile of the log. That there is none is an answer; that it cannot be had is none. */
async function readTile(path: string): Promise<Uint8Array | null> {
  const response = await fetch(`/log/${path}`);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Answers a task, with its progress before. */
export async function answer(task: Task, send: (answer: Answer) => void) {
  let told = 0;
  const progress = (share: number) => {
    const now = Math.floor(share * shares);
    if (now > told) send({ progress: now });
    told = now;
  };
  try {
    send({ outcome: await check(task, readTile, progress) });
  } catch (error) {
    send({ failure: String(error) });
  }
}

self.onmessage = ({ data }: MessageEvent<Task>) =>
  void answer(data, (one) => self.postMessage(one));
