import type { CSSProperties } from 'react';

/** The length of the longest text, for a grid whose columns hold each of them in one line. */
export function longest(texts: readonly string[]): CSSProperties {
  return { '--longest': Math.max(...texts.map((text) => text.length)) } as CSSProperties;
}
