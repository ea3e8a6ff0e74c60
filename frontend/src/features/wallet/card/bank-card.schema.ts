import type { BankCard } from '@/api/types';
import { phoneProblem } from '@/shared/forms/contact-formats';
import type { Problems } from '@/shared/forms/use-form';
import { readAccount, readAddress } from './payee';

export type Method = BankCard['method'];

export const fieldsOf = {
  bank_card: [
    'card_name',
    'user_name',
    'mobile',
    'bank_name',
    'bank_account',
    'branch_name',
    'beneficiary_name',
    'bank_address',
  ],
  wallet_address: ['network', 'address'],
} as const satisfies Record<Method, readonly string[]>;

/** The fields of both forms; only those of the chosen method are sent. */
export type CardField = (typeof fieldsOf)[Method][number];
export type CardForm = Record<CardField, string>;

const optionalFields: readonly CardField[] = ['beneficiary_name', 'bank_address'];

/** An IBAN says the branch by itself, also one with a slip that is to be mended. */
function isOptional(field: CardField, form: CardForm): boolean {
  if (field === 'branch_name') return readAccount(form.bank_account).iban;
  return optionalFields.includes(field);
}

/** The number is never prefilled, because the server only sends it masked. */
export function formOf(card: BankCard | null): CardForm {
  const known: Partial<Record<CardField, string | null>> = {
    ...card,
    bank_account: '',
    address: '',
  };
  const fields = Object.values(fieldsOf).flat();
  return Object.fromEntries(fields.map((field) => [field, known[field] ?? ''])) as CardForm;
}

/**
 * The missing fields, and the problems of the telephone number, the account number and the address.
 */
export function problemsOf(method: Method, form: CardForm): Problems<CardField> {
  const problems: Problems<CardField> = {};
  const read = numberOf(method, form);
  if (read.problem) problems[method === 'bank_card' ? 'bank_account' : 'address'] = read.problem;
  const badPhone = method === 'bank_card' ? phoneProblem(form.mobile) : null;
  if (badPhone) problems.mobile = badPhone;
  for (const field of fieldsOf[method]) {
    if (form[field].trim() === '' && !isOptional(field, form)) problems[field] = 'fields.required';
  }
  return problems;
}

function numberOf(method: Method, form: CardForm) {
  return method === 'bank_card'
    ? readAccount(form.bank_account)
    : readAddress(form.network, form.address);
}

export function hasChanged(method: Method, form: CardForm, card: BankCard | null): boolean {
  const before = formOf(card);
  return fieldsOf[method].some((field) => form[field] !== before[field]);
}

export function cardOf(method: Method, form: CardForm): BankCard {
  const { network, address: _, beneficiary_name, bank_address, ...bank } = form;
  const { number } = numberOf(method, form);
  if (method === 'wallet_address') return { method, network, address: number };
  return {
    method,
    ...bank,
    bank_account: number,
    beneficiary_name: beneficiary_name || null,
    bank_address: bank_address || null,
  };
}

/** The request: the card, with the transaction password if one is set. */
export type CardToBind = BankCard & { password?: string };

/** The bank, branch or network at which the account is held. */
export function placeOf(card: BankCard): string {
  return card.method === 'bank_card' ? card.bank_name : card.network;
}

/** `•••• 6789` on one line, however the server masks the rest: the last four letters and digits. */
export function maskedNumber(card: BankCard): string {
  const number = card.method === 'bank_card' ? card.bank_account : card.address;
  return `••••\u00a0${number.replace(/[^A-Za-z0-9]/g, '').slice(-4)}`;
}
