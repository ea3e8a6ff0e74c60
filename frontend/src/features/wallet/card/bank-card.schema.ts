import type { BankCard } from '@/api/types';

/** The fields of both forms; only those of the chosen method are sent. */
export type CardForm = {
  card_name: string;
  user_name: string;
  mobile: string;
  bank_name: string;
  bank_account: string;
  branch_name: string;
  beneficiary_name: string;
  bank_address: string;
  network: string;
  address: string;
};

export type CardField = keyof CardForm;
export type Method = BankCard['method'];

export const requiredFields: Record<Method, readonly CardField[]> = {
  bank_card: ['card_name', 'user_name', 'mobile', 'bank_name', 'bank_account', 'branch_name'],
  wallet_address: ['network', 'address'],
};

const optionalFields = ['beneficiary_name', 'bank_address'] as const;

/** The number is never prefilled, because the server only sends it masked. */
export function formOf(card: BankCard | null): CardForm {
  const bank = card?.method === 'bank_card' ? card : null;
  const wallet = card?.method === 'wallet_address' ? card : null;
  return {
    card_name: bank?.card_name ?? '',
    user_name: bank?.user_name ?? '',
    mobile: bank?.mobile ?? '',
    bank_name: bank?.bank_name ?? '',
    bank_account: '',
    branch_name: bank?.branch_name ?? '',
    beneficiary_name: bank?.beneficiary_name ?? '',
    bank_address: bank?.bank_address ?? '',
    network: wallet?.network ?? '',
    address: '',
  };
}

export function missingFields(method: Method, form: CardForm): CardField[] {
  return requiredFields[method].filter((field) => form[field].trim() === '');
}

export function hasChanged(method: Method, form: CardForm, card: BankCard | null): boolean {
  const before = formOf(card);
  const fields: readonly CardField[] =
    method === 'bank_card'
      ? [...requiredFields.bank_card, ...optionalFields]
      : requiredFields[method];
  return fields.some((field) => form[field] !== before[field]);
}

export function cardOf(method: Method, form: CardForm): BankCard {
  const { network, address, beneficiary_name, bank_address, ...bank } = form;
  if (method === 'wallet_address') return { method, network, address: address.trim() };
  return {
    method,
    ...bank,
    beneficiary_name: beneficiary_name || null,
    bank_address: bank_address || null,
  };
}

/** The request: the card, with the transaction password if one is set. */
export type CardToBind = BankCard & { password?: string };

/** Where the account is held. */
export function placeOf(card: BankCard): string {
  return card.method === 'bank_card' ? card.bank_name : card.network;
}

/** `•••• 6789` on one line, however the server masks the rest. */
export function maskedNumber(card: BankCard): string {
  const number = card.method === 'bank_card' ? card.bank_account : card.address;
  return `••••\u00a0${number.slice(-4)}`;
}
