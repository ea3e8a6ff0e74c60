import { act, render } from '@testing-library/react';
import { useTranslation } from 'react-i18next';
import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { formatMoney } from '@/i18n/format';
import { aConfig, aUser } from '@/testing/data';
import { keepConfig, knownConfig, reloadConfig } from './known-config';

describe('what is known of the basic config', () => {
  it('is kept without withdrawal methods and questions', () => {
    keepConfig(aConfig);
    const stored = JSON.parse(localStorage.getItem('fb_basic_config') ?? '');
    expect(stored.currency.code).toBe('USD');
    expect(stored).not.toHaveProperty('withdraw_method_config');
    expect(stored).not.toHaveProperty('faq_config');
    expect(knownConfig()).toEqual(stored);
  });

  it('stays when somebody signs out', () => {
    keepConfig(aConfig);
    session.signIn({ token: 'abc', user: aUser });
    session.clear();
    expect(localStorage.getItem('fb_basic_config')).not.toBeNull();
    expect(knownConfig()?.currency.code).toBe('USD');
  });

  it('survives storage that someone else has written to', () => {
    localStorage.setItem('fb_basic_config', '{broken');
    reloadConfig();
    expect(knownConfig()).toBeNull();
  });
});

describe('the currency', () => {
  const yen = { ...aConfig, currency: { code: 'JPY', decimals: 0, symbol: '¥' } };

  it('is that of all amounts, also of those that are shown when it becomes known', () => {
    const { container } = render(<Spent />);
    expect(container).toHaveTextContent('Spent: $120.00');
    act(() => keepConfig(yen));
    expect(container).toHaveTextContent('Spent: ¥120');
  });

  it('draws nothing anew while it stays the same', () => {
    keepConfig(yen);
    render(<Spent />);
    const before = drawn;
    act(() => keepConfig({ ...yen, client_language_map: [] }));
    expect(drawn).toBe(before);
  });
});

let drawn = 0;

function Spent() {
  useTranslation();
  drawn += 1;
  return <p>Spent: {formatMoney('120')}</p>;
}
