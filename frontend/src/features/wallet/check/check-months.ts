import { ask, call } from '@/api/call';
import { type Download, fetchProof } from '@/api/download';
import { isRefusal, NetworkError } from '@/api/errors';
import { serverDate } from '@/api/server-clock';
import type { LogState } from '@/api/types';
import { beginning, type End, type Outcome } from '@/proof/check';
import type { Month, MonthRead } from '@/proof/month';
import { Crew, readersFor } from './crew';
import { keepWitnessed, readWitnessed, type Witnessed } from './kept';
import { Progress, type Running } from './progress';
import { monthNow, readLines, screenBalances } from './screen-lines';

export type Checked = { month: string; outcome: Outcome };

export type Done = {
  checked: readonly Checked[];
  /** The file of the last month. */
  file: Download | null;
  log: LogState | null;
  /** The state that the device had kept when the check began. */
  before: Witnessed | null;
  kept: boolean;
};

/** `isWhole` if these are all months of the book, from its beginning. */
type Asked = { user: string; months: readonly string[]; isWhole: boolean };

type Report = (running: Running) => void;

/** Checks months, and stops at the first that does not hold. */
export async function checkMonths(
  asked: Asked,
  stopped: AbortSignal,
  report: Report,
): Promise<Done> {
  const ended = new AbortController();
  const { signal } = ended;
  const end = () => ended.abort();
  stopped.addEventListener('abort', end);
  if (stopped.aborted) end();
  const crew = new Crew(signal);
  try {
    return await checkAll(asked, crew, signal, report);
  } finally {
    stopped.removeEventListener('abort', end);
    // If a month does not hold, the months that were read ahead are not needed.
    end();
    crew.end();
  }
}

/**
 * Several months are read at once, because that takes long; they are judged one after the other, so that the outcome is
 * the same however many are.
 */
async function checkAll(
  { user, months, isWhole }: Asked,
  crew: Crew,
  signal: AbortSignal,
  report: Report,
): Promise<Done> {
  const before = await readWitnessed(user).catch(() => null);
  const [keys, log] = await Promise.all([fetchLogKeys(signal), fetchLogState(signal)]);
  const witnesses = log?.witnesses.map(({ key }) => key) ?? [];
  const book = Number(user);
  const progress = new Progress(months, report);
  const readings = new ReadAhead({ book, months, crew, signal, progress });
  const done: Done & { checked: Checked[] } = { checked: [], file: null, log, before, kept: true };
  let known = before;
  let end: End | null = isWhole ? beginning : null;
  for (const [at, month] of months.entries()) {
    const reading = await readings.take(at);
    if (reading) {
      const one = { read: reading.read, book, month, keys, witnesses, kept: known, before: end };
      const outcome = await crew.judge(one);
      done.checked.push({ month, outcome });
      done.file = reading.file;
      if (outcome.outcome !== 'passed') break;
      end = outcome.end;
      known = { ...outcome.keep, at: Date.now(), size: outcome.size };
      done.kept = await isKept(user, known);
    }
    progress.done(at);
  }
  return done;
}

const isKept = (user: string, known: Witnessed) =>
  keepWitnessed(user, known).then(
    () => true,
    () => false,
  );

/** The state of the log, which is public and needs no session; null if nothing was published yet. */
async function fetchLogState(signal: AbortSignal): Promise<LogState | null> {
  const read = (response: Response): Promise<{ public_log: LogState | null }> => response.json();
  return (await ask('/log/state', { signal }, read)).public_log;
}

/** The keys that the log signs with, one a line; none where there is no log. */
async function fetchLogKeys(signal: AbortSignal): Promise<string> {
  try {
    return await ask('/log/key', { signal }, (response) => response.text());
  } catch (error) {
    if (error instanceof NetworkError && error.status === 404) return '';
    throw error;
  }
}

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
 * Reads months ahead of the caller that judges them: one is downloaded at a time, several are
 * computed at once. No more of them are in memory than there are readers.
 */
class ReadAhead {
  private readonly readers: number;
  /** The readings that have begun and were not taken yet. */
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
    // A failed reading is reported when it is taken, which happens only if all months before it
    // hold.
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
    // The balances are read before the file, so that the file has everything that led to them.
    const property =
      month === monthNow(serverDate())
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
