import { describe, expect, it } from 'vitest';
import { aBankCard } from '@/testing/money-data';
import { cardOf, formOf, hasChanged, maskedNumber, missingFields } from './bank-card.schema';

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
    expect(missingFields('bank_card', { ...form, mobile: '  ' })).toEqual(['mobile']);
    expect(missingFields('wallet_address', form)).toEqual(['network', 'address']);
  });

  it('sends the chosen method alone', () => {
    expect(cardOf('wallet_address', { ...form, network: 'TRON', address: ' T1 ' })).toEqual({
      method: 'wallet_address',
      network: 'TRON',
      address: 'T1',
    });
    expect(cardOf('bank_card', form)).not.toHaveProperty('network');
  });

  it('shows the last four, however the rest is masked', () => {
    expect(maskedNumber(aBankCard)).toBe('••••\u00a06789');
    expect(maskedNumber({ ...aBankCard, bank_account: '4000123456789' })).toBe('••••\u00a06789');
  });
});
