import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import type { ParseKeys } from 'i18next';
import { ValidationErrorsIBAN, validateIBAN } from 'ibantools';
import { plainDigits } from '@/ui/plain-digits';

/*
 * Numbers of accounts and addresses as people paste them: the server's rule (`crates/payee`), but
 * that it alone knows where an IBAN has letters and where digits.
 */

type Problem = Extract<ParseKeys, `wallet.payee.${string}`>;
type Read = { number: string; problem: Problem | null };

/** Blanks, control characters and what is not shown. */
const unseen = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;
/**
 * Separators that people write between groups of digits. Japanese keyboards have the long vowel
 * mark instead of a hyphen.
 */
const signs = /[-\u2010-\u2015\u2212\u30fc./:_]/g;

const pasted = (typed: string) => plainDigits(typed.normalize('NFKC').replace(unseen, ''));

/**
 * The number without blanks and signs, an IBAN in capitals, what is wrong with it, and whether it is
 * an IBAN or meant as one.
 */
export function readAccount(typed: string): Read & { iban: boolean } {
  const whole = pasted(typed).replace(signs, '').toUpperCase();
  const number = whole.replace(/^IBAN/, '');
  const calledIban = number !== whole;
  const wrong = (problem: Problem, iban = false) => ({ number, problem, iban });
  if (!/^[A-Z0-9]*$/.test(number)) return wrong('wallet.payee.invalid_account');
  if (!/^[A-Z]{2}\d\d/.test(number)) {
    return calledIban || hasLettersForCheckDigits(number)
      ? wrong('wallet.payee.iban_form', true)
      : ownNumber(number, typed);
  }
  const found = new Set(validateIBAN(number).errorCodes);
  if (found.has(ValidationErrorsIBAN.NoIBANCountry)) {
    return number.length < shortestIban && !calledIban
      ? ownNumber(number, typed)
      : wrong('wallet.payee.iban_country');
  }
  if (found.has(ValidationErrorsIBAN.WrongBBANLength)) {
    return wrong('wallet.payee.iban_form', true);
  }
  if (found.has(ValidationErrorsIBAN.WrongIBANChecksum)) {
    return wrong('wallet.payee.iban_check', true);
  }
  return { number, problem: null, iban: true };
}

/** Norway's. */
const shortestIban = 15;

/** Whether it is an IBAN but for letters that look like its check digits: `DEO2…`. */
function hasLettersForCheckDigits(number: string): boolean {
  const check = number.slice(2, 4).replace(/O/g, '0').replace(/[IL]/g, '1');
  const meant = number.slice(0, 2) + check + number.slice(4);
  if (meant === number || !/^[A-Z]{2}\d\d/.test(meant)) return false;
  return validateIBAN(meant).errorCodes.every(
    (code) => code === ValidationErrorsIBAN.WrongIBANChecksum,
  );
}

/**
 * Whether there is a word beside the number, such as in `Acc 12345678`, which would become a part
 * of it. Two letters may belong to the number, unless they are said of numbers as in `Nr 12345678`.
 */
function hasWord(typed: string): boolean {
  const plain = typed.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const isSaid = (text: string) => /\p{Alphabetic}/u.test(text) && !/\p{N}/u.test(text);
  const [label = '', ...rest] = plain.split(/[:.]/);
  const isShortWord = (word: string) => /^(ac|cc|id|no|nr|or)$/i.test(word);
  const words = plain.split(/\s+/).filter((word) => [...word].length > 2 || isShortWord(word));
  return /^\s*a\/c/i.test(plain) || words.some(isSaid) || (rest.length > 0 && isSaid(label));
}

/** Whether there is an IFSC, the code of an Indian branch, in place of the number or beside it. */
function hasIfsc(typed: string): boolean {
  const plain = typed.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const parts = plain.split(/\s/).flatMap((part) => part.split(signs));
  return parts.some((part) => /^[A-Z]{4}0[A-Z0-9]{6}$/i.test(part));
}

/** Whether a raised or circled figure points to a note: it would become a part of the number. */
const hasNote = (typed: string) => /\p{N}/u.test(plainDigits(typed).replace(/[0-9]/g, ''));

/** A quantity, as spreadsheets write it: the second has other digits than the number. */
const calculated = /^\d+\.(0+|\d+E\d+)$/i;

/**
 * A bank's own number: 6 to 34 characters, most of which are digits. Nobody has the number that is
 * all zeros, or one that was masked: `XXXX2051`.
 */
function ownNumber(number: string, typed: string) {
  const digits = number.replace(/\D/g, '').length;
  const isNumber =
    !/^0*$/.test(number) &&
    !number.includes('XX') &&
    !hasWord(typed) &&
    !hasIfsc(typed) &&
    !calculated.test(pasted(typed)) &&
    !hasNote(typed);
  const wellFormed =
    isNumber && number.length >= 6 && number.length <= 34 && digits * 2 >= number.length;
  return {
    number,
    problem: wellFormed ? null : ('wallet.payee.invalid_account' as const),
    iban: false,
  };
}

const tron = /^T[A-Za-z0-9]{33}$/;
const ethereum = /^0x[0-9a-f]{40}$/i;

/** The address without blanks, and what is wrong with it on this network. */
export function readAddress(network: string, typed: string): Read {
  // QR codes of wallets have a scheme before the address.
  const number = pasted(typed)
    .replace(/^(ethereum|tron):/, '')
    .replace(/^0X/, '0x');
  const [own, other] = network === 'TRC20' ? [tron, ethereum] : [ethereum, tron];
  if (other.test(number)) return { number, problem: 'wallet.payee.other_network' };
  if (!own.test(number)) return { number, problem: 'wallet.payee.invalid_address' };
  return { number, problem: own === tron ? tronProblem(number) : ethereumProblem(number) };
}

/** Base58Check over 21 bytes, of which the first is Tron's. */
function tronProblem(address: string): Problem | null {
  try {
    const [network, ...owner] = createBase58check(sha256).decode(address);
    const known = network === 0x41 && owner.length === 20 && owner.some((byte) => byte !== 0);
    return known ? null : 'wallet.payee.invalid_address';
  } catch {
    return 'wallet.payee.address_check';
  }
}

/** EIP-55: capitals are a checksum, unless all letters are alike. */
function ethereumProblem(address: string): Problem | null {
  const digits = address.slice(2);
  const small = digits.toLowerCase();
  if (/^0*$/.test(digits)) return 'wallet.payee.invalid_address';
  if (digits === small || digits === digits.toUpperCase()) return null;
  const hash = bytesToHex(keccak_256(new TextEncoder().encode(small)));
  const right = [...small].map((one, at) => ((hash[at] ?? '0') >= '8' ? one.toUpperCase() : one));
  return right.join('') === digits ? null : 'wallet.payee.address_check';
}
