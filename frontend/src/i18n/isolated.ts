/** Unicode keeps the scripts that are written from right to left together. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A name in Arabic or Hebrew stands apart from the sentence around it: its marks stay with it, and
 * the sentence keeps its order. The server does the same (crates/i18n/src/texts.rs).
 */
export function isolated(value: string): string {
  return rightToLeft.test(value) ? `\u2068${value}\u2069` : value;
}
