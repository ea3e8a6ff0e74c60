import { act, render } from '@testing-library/react';
import { useTranslation } from 'react-i18next';
import { describe, expect, it } from 'vitest';
import { formatMoney } from '@/i18n/format';
import { aConfig } from '@/testing/data';
import { cacheConfig } from './cached-config';

describe('the currency', () => {
  const yen = { ...aConfig, currency: { code: 'JPY', decimals: 0, symbol: '¥' } };

  it('is that of all amounts, also of those that are shown when it becomes known', () => {
    const { container } = render(<Spent />);
    expect(container).toHaveTextContent('Spent: $120.00');
    act(() => cacheConfig(yen));
    expect(container).toHaveTextContent('Spent: ¥120');
  });

  it('draws nothing anew while it stays the same', () => {
    cacheConfig(yen);
    render(<Spent />);
    const before = drawn;
    act(() => cacheConfig({ ...yen, client_language_map: [] }));
    expect(drawn).toBe(before);
  });
});

let drawn = 0;

function Spent() {
  useTranslation();
  drawn += 1;
  return <p>Spent: {formatMoney('120')}</p>;
}
