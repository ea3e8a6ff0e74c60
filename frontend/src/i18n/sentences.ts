/** Joins two sentences, or a word and what it introduces. There is no blank after a full-width mark. */
export function sentences(first: string, second: string): string {
  return /[。：]$/.test(first) ? first + second : `${first} ${second}`;
}
