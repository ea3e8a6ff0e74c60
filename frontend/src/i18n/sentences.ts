/** Joins two sentences. There is no blank after a full-width stop. */
export function sentences(first: string, second: string): string {
  return first.endsWith('。') ? first + second : `${first} ${second}`;
}
