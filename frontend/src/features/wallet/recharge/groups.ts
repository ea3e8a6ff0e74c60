/** Groups a text in fours, as banks print IBANs and references. */
export function groupByFour(text: string): string {
  return text.replace(/(.{4})(?=.)/g, '$1 ');
}

/** Whether an account begins like an IBAN, with two letters and two digits. */
export function looksLikeIban(account: string): boolean {
  return /^[A-Z]{2}\d{2}[A-Z\d]+$/.test(account);
}
