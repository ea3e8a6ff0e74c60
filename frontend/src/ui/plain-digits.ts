/**
 * The zeros of the scripts of today, from Arabic and Persian to Mongolian, and in full width. The other digits follow
 * each of them. The server has the same list (`crates/base/src/digits.rs`).
 */
const zeros = [...'٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀႐០᠐０'].map((zero) => zero.codePointAt(0) ?? 0);

/** Replaces digits of other scripts by ASCII ones. */
export function plainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = zeros.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}
