// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { aBankCard, aTronAddress } from '@/testing/money-data';
import { cardOf, formOf, hasChanged, maskedNumber, problemsOf } from './bank-card.schema';

const form = { ...formOf(aBankCard), bank_account: '4000123456789' };

describe('the bank card form', () => {
  it('never starts with the masked number in it', () => {
    expect(formOf(aBankCard)).toMatchObject({ user_name: 'Lena Vogt', bank_account: '' });
  });

  it('has changed only when the chosen method’s own fields have', () => {
    expect(hasChanged('bank_card', formOf(aBankCard), aBankCard)).toBe(false);
    expect(hasChanged('bank_card', form, aBankCard)).toBe(true);
    expect(hasChanged('bank_card', { ...formOf(null), address: 'T1' }, null)).toBe(false);
    expect(hasChanged('wallet_address', { ...formOf(null), address: 'T1' }, null)).toBe(true);
  });

  it('names what is missing, blanks included', () => {
    const required = 'fields.required';
    expect(problemsOf('bank_card', { ...form, mobile: '  ' })).toEqual({ mobile: required });
    const address = { network: required, address: required };
    expect(problemsOf('wallet_address', form)).toEqual(address);
  });

  it('takes the telephone numbers that the server takes', () => {
    const of = (mobile: string) => problemsOf('bank_card', { ...form, mobile }).mobile;
    for (const good of [
      '＋４９１５１１２３４５６７８',
      '\u202a+4915112345678\u202c',
      '+49\u00a0151 12345678',
    ])
      expect(of(good)).toBeUndefined();
    for (const bad of ['call me', '+0 123456789', '12345678901234567890'])
      expect(of(bad)).toBe('fields.invalid_phone');
    expect(problemsOf('wallet_address', { ...form, mobile: 'call me' }).mobile).toBeUndefined();
  });

  it('wants a branch unless an IBAN says it', () => {
    const without = { ...form, branch_name: ' ' };
    expect(problemsOf('bank_card', without)).toEqual({ branch_name: 'fields.required' });
    const iban = { ...without, bank_account: 'DE02120300000000202051' };
    expect(problemsOf('bank_card', iban)).toEqual({});
    const slip = { ...without, bank_account: 'DE02120300000000202052' };
    expect(problemsOf('bank_card', slip)).toEqual({ bank_account: 'wallet.payee.iban_check' });
  });

  it('sends the chosen method alone', () => {
    expect(
      cardOf('wallet_address', { ...form, network: 'TRC20', address: ` ${aTronAddress} ` }),
    ).toEqual({
      method: 'wallet_address',
      network: 'TRC20',
      address: aTronAddress,
    });
    expect(cardOf('bank_card', form)).not.toHaveProperty('network');
  });

  it('shows the last four, however the rest is masked', () => {
    expect(maskedNumber(aBankCard)).toBe('••••\u00a06789');
    expect(maskedNumber({ ...aBankCard, bank_account: '4000123456789' })).toBe('••••\u00a06789');
    const spaced = { ...aBankCard, bank_account: 'DE02 1203 0000 0000 2020 51' };
    expect(maskedNumber(spaced)).toBe('••••\u00a02051');
  });
});
