import { call } from '@/api/call';
import { type Download, fetchProof } from '@/api/download';
import { isRefusal } from '@/api/errors';
import type { Month, MonthRead } from '@/proof/month';
import { type Crew, readersFor } from './crew';
import type { Progress } from './progress';
import { monthNow, readLines, screenBalances } from './screen-lines';

/** A month that was read, with its file; null where the account had nothing yet. */
type Reading = { file: Download; read: MonthRead } | null;

type Options = {
  book: number;
  months: readonly string[];
  crew: Crew;
  signal: AbortSignal;
  progress: Progress;
};

/**
 * Reads months ahead of whoever judges them: one is downloaded at a time, several are computed at once. No more of them
 * are in memory than there are readers.
 */
export class ReadAhead {
  private readonly readers: number;
  /** Those that were begun and not taken. */
  private readonly readings = new Map<number, Promise<Reading>>();
  private begun = 0;
  private downloaded: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: Options) {
    this.readers = readersFor(options.months.length);
  }

  /** The months are taken one after the other. */
  async take(at: number): Promise<Reading> {
    for (; this.begun < at + this.readers; this.begun += 1) this.begin(this.begun);
    const reading = await this.readings.get(at);
    this.readings.delete(at);
    return reading ?? null;
  }

  private begin(at: number) {
    const download = this.downloaded.then(() => this.download(at));
    this.downloaded = download;
    const reading = download.then((found) => found && this.read(at, found));
    // What became of a month is asked only if all months before it hold.
    reading.catch(() => {});
    this.readings.set(at, reading);
  }

  private async read(at: number, { file, month }: Found): Promise<Reading> {
    const { crew, progress } = this.options;
    const onProgress = (percent: number) => progress.computed(at, percent);
    return { file, read: await crew.read(at % this.readers, month, onProgress) };
  }

  private async download(at: number): Promise<Found | null> {
    const { book, months, signal, progress } = this.options;
    const month = months[at];
    if (month === undefined) return null;
    progress.file(at, 0);
    // Before the file, which then has all that led to them.
    const property =
      month === monthNow(new Date())
        ? await call('GET', '/user/property', { signal, inline: ['all'] })
        : null;
    const onProgress = (bytes: number) => progress.file(at, bytes);
    const file = await fetchProof(month, { signal, onProgress }).catch((error) => {
      // An account may have months before its first movement.
      if (at + 1 < months.length && isRefusal(error, 'not_in_public_log')) return null;
      throw error;
    });
    if (!file) return null;
    progress.lines(at);
    const lines = await readLines(month, signal);
    progress.computed(at, 0);
    const balances = property && screenBalances(property);
    return { file, month: { file: file.file, book, lines, balances } };
  }
}

type Found = { file: Download; month: Month };
