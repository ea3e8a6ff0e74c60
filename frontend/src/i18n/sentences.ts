/** One after the other; after a full-width stop there is no blank. */
export function sentences(first: string, second: string): string {
  return first.endsWith('。') ? first + second : `${first} ${second}`;
}
