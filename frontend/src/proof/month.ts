/** Reading a month: what takes long, and needs to know nothing of the log or of other months. */
import type { Fault } from './failure';
import { ProofFailure } from './failure';
import { Comparer, type Comparison, type ScreenBalances } from './screen';
import { type ProofFile, proofReader } from './verify';

export type Month = {
  file: Blob;
  /** The user's book. */
  book: number;
  /** The lines on the screen, as rows. */
  lines: readonly string[];
  balances: ScreenBalances | null;
};

type Refused = { fault: Fault; message: string };

/** The content of a file, and how the screen differs from it; or why it was refused. */
export type MonthRead = { file: ProofFile; comparison: Comparison } | Refused;

/** How much of the file is read, from 0 to 1. */
type Progress = (share: number) => void;

export async function readMonth(month: Month, progress: Progress): Promise<MonthRead> {
  const comparer = new Comparer(month.book);
  try {
    const file = await read(month.file, comparer, progress);
    const made = Date.parse(file.book.made);
    return { file, comparison: comparer.compare(month.lines, month.balances, made) };
  } catch (error) {
    if (!(error instanceof ProofFailure)) throw error;
    return { fault: error.fault, message: error.message };
  }
}

async function read(file: Blob, comparer: Comparer, progress: Progress): Promise<ProofFile> {
  const reader = proofReader(comparer.add);
  const parts = file.stream().getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await parts.read();
    if (done) return reader.finish();
    reader.push(value);
    bytes += value.length;
    progress(bytes / file.size);
  }
}
