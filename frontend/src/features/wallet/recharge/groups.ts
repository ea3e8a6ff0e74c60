/** In groups of four, as banks print IBANs and references. */
export function groupByFour(text: string): string {
  return text.replace(/(.{4})(?=.)/g, '$1 ');
}

/** What begins like an IBAN: two letters and two digits. */
export function looksLikeIban(account: string): boolean {
  return /^[A-Z]{2}\d{2}[A-Z\d]+$/.test(account);
}
