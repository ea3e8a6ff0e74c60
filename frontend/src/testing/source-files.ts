import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder `src`. */
export const source = join(import.meta.dirname, '..');

/** The file of ours that `name` stands for in an import of the file `from`. */
export function importedFile(name: string, from: string): string | null {
  if (!/^(@\/|\.)/.test(name)) return null;
  const path = name.startsWith('@/') ? join(source, name.slice(2)) : join(dirname(from), name);
  return (
    ['', '.ts', '.tsx']
      .map((end) => path + end)
      .find((file) => /\.tsx?$/.test(file) && existsSync(file)) ?? null
  );
}
