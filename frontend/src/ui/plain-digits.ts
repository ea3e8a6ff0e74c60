/** Replaces digits of other scripts by ASCII ones: full width, Arabic, Persian, Thai and others. */
export function plainDigits(text: string): string {
  return text.normalize('NFKC').replace(/\p{Nd}/gu, digit);
}

/** The digits of a script follow each other, from its zero on. */
function digit(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}
