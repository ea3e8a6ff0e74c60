import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const daySeconds = 86_400;

/**
 * The environment of a program whose clock is ahead: what takes weeks in an installation is tested
 * with the programs and rules as they are. Needs Linux and a C compiler, as Rust does.
 */
export async function clockAhead(days: number, folder: string) {
  const library = join(folder, 'clock.so');
  const source = join(import.meta.dirname, 'clock.c');
  await promisify(execFile)('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']);
  return { LD_PRELOAD: library, CLOCK_AHEAD_SECONDS: String(days * daySeconds) };
}
