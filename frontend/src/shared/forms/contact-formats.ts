import type { ParseKeys } from 'i18next';
import { plainDigits } from '@/ui/plain-digits';

const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** Replaces full-width characters by ASCII ones. */
function narrow(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (wide) =>
    String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
  );
}

/** The problem of an email address; the browser applies the same rules as the server. */
export function emailProblem(text: string): ParseKeys | null {
  // The full stops of Chinese and Japanese count as dots.
  const address = narrow(text.replace(ignorable, '')).replace(/[。｡]/g, '.').trim();
  if (!address) return 'fields.required';
  const input = document.createElement('input');
  input.type = 'email';
  input.value = inAscii(address);
  const wellFormed = input.validity.valid && /@[^@]+\.[^@]+$/.test(address);
  return wellFormed ? null : 'fields.invalid_email';
}

/** The address with its domain in Punycode, without which Safari takes no domain of other letters. */
function inAscii(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  if (!/\P{ASCII}/u.test(domain) || /[/?#:\\%]/.test(domain)) return address;
  try {
    return address.slice(0, at) + new URL(`https://${domain}`).hostname;
  } catch {
    return address;
  }
}

/**
 * As on the server: 5 to 15 digits, with or without separators and a country code, which never
 * begins with zero.
 */
const phone = /^(?!\(?\+[ ()./-]*0)(?:\(?\+)?(?=(?:\D*\d){5,15}\D*$)[\d ()./-]{5,24}$/;

/**
 * A pasted number in plain characters, as the server keeps it. On the keyboards of Japanese, the key of the hyphen
 * writes the mark of a long vowel.
 */
function plain(text: string): string {
  return (
    plainDigits(narrow(text))
      .replace(ignorable, '')
      .replace(/[\u2010-\u2015\u2212\u30fc\uff70]/g, '-')
      .replace(/[\p{Zs}\t]/gu, ' ')
      .trim()
      // A link that was copied.
      .replace(/^tel: */i, '')
  );
}

/** The problem of a phone number: one rule for all forms. */
export function phoneProblem(text: string): ParseKeys | null {
  const number = plain(text);
  if (!number) return 'fields.required';
  return phone.test(number) ? null : 'fields.invalid_phone';
}
