import { type Answer, answer, type Question } from '@/proof/worker';

/** Answers as the real one does, though not in a thread of its own, and as late as a test wants. */
export class InlineWorker {
  /** Those that were not ended. */
  static readonly alive = new Set<InlineWorker>();
  static most = 0;
  static delay: (question: Question) => Promise<void> = async () => {};

  onmessage: ((event: { data: Answer }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;

  constructor() {
    InlineWorker.alive.add(this);
    InlineWorker.most = Math.max(InlineWorker.most, InlineWorker.alive.size);
  }

  postMessage(question: Question) {
    InlineWorker.delay(question).then(
      // What cannot be sent between threads fails here too.
      () =>
        answer(structuredClone(question), (data) =>
          this.onmessage?.({ data: structuredClone(data) }),
        ),
      (error) => this.onerror?.({ message: String(error) }),
    );
  }

  terminate() {
    InlineWorker.alive.delete(this);
    this.onmessage = null;
  }
}
