type Step = 'file' | 'lines' | 'compute';

/** The progress of the oldest month that is not done; `percent` covers all months. */
export type Running = { month: string; step: Step; percent: number; bytes: number };

type Part = { step: Step; share: number; bytes: number };

/** How far a check of several months is, of which some are read at once. */
export class Progress {
  private readonly parts: Part[];
  private oldest = 0;

  constructor(
    private readonly months: readonly string[],
    private readonly report: (running: Running) => void,
  ) {
    this.parts = months.map(() => ({ step: 'file', share: 0, bytes: 0 }));
  }

  // Reading a file and the lines beside it takes about as long as computing.
  file(at: number, bytes: number) {
    this.set(at, { step: 'file', share: 10, bytes });
  }

  lines(at: number) {
    this.set(at, { step: 'lines', share: 40, bytes: 0 });
  }

  computed(at: number, percent: number) {
    this.set(at, { step: 'compute', share: 50 + percent / 2, bytes: 0 });
  }

  /** Months are done one after the other. */
  done(at: number) {
    this.oldest = at + 1;
    this.set(at, { step: 'compute', share: 100, bytes: 0 });
  }

  private set(at: number, part: Part) {
    if (at >= this.parts.length) return;
    this.parts[at] = part;
    const { step, bytes } = this.parts[this.oldest] ?? part;
    const month = this.months[this.oldest] ?? this.months.at(-1) ?? '';
    const percent = Math.floor(
      this.parts.reduce((sum, { share }) => sum + share, 0) / this.parts.length,
    );
    this.report({ month, step, percent, bytes });
  }
}
