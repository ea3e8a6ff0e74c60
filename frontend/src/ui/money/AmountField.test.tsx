import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { cacheConfig } from '@/api/queries/cached-config';
import { formatDigits } from '@/i18n/format';
import { availableLanguages, showLanguage } from '@/i18n/texts';
import { aConfig } from '@/testing/data';
import { AmountField } from './AmountField';

type Given = { error?: string; start?: string };

function Form({ error, start = '' }: Given) {
  const [value, setValue] = useState(start);
  return (
    <>
      <AmountField
        label="Amount"
        value={value}
        onChange={setValue}
        error={error}
        hint="Between 1 and 2"
      />
      <output>{value}</output>
      <button type="button" onClick={() => setValue('2500.5')}>
        Take all
      </button>
    </>
  );
}

const input = () => screen.getByLabelText('Amount');
const given = () => screen.getByRole('status').textContent;
const leave = () => userEvent.tab();

describe('AmountField', () => {
  it.each([
    ['12.5', '12.5', '12.50'],
    ['12,5', '12.5', '12.50'],
    ['.5', '0.5', '0.50'],
    ['007', '7', '7'],
    ['1,000', '1000', '1,000'],
    ['1000.5', '1000.5', '1,000.50'],
    ['1.000,50', '1000.50', '1,000.50'],
    ['12345678901234567', '12345678901234567', '12,345,678,901,234,567'],
  ])('reads %s as %s, and shows it back as %s', async (text, amount, shown) => {
    render(<Form />);
    await userEvent.type(input(), text);
    expect(input()).toHaveValue(text);
    expect(given()).toBe(amount);
    await leave();
    expect(input()).toHaveValue(shown);
    expect(input()).toBeValid();
  });

  it.each([
    ['1.000', 'It is not clear which amount this is. Please write it like 1,234.50.'],
    ['-5', 'Please enter the amount without a minus sign.'],
    ['1e3', 'This is not an amount. Please write it like 1,234.50.'],
    ['0.125', 'At most 2 decimal places.'],
  ])('refuses %s, keeps it, and says why', async (text, why) => {
    render(<Form error="Please enter an amount" />);
    await userEvent.type(input(), text);
    await leave();
    expect(input()).toHaveValue(text);
    expect(given()).toBe('');
    expect(input()).toBeInvalid();
    expect(screen.getByRole('alert')).toHaveTextContent(why);
    expect(screen.queryByText('Please enter an amount')).not.toBeInTheDocument();
  });

  it('reads what is pasted as what is typed', async () => {
    render(<Form />);
    await userEvent.click(input());
    await userEvent.paste('$1,234.50');
    expect(given()).toBe('1234.50');
    await leave();
    expect(input()).toHaveValue('1,234.50');
    await userEvent.clear(input());
    await userEvent.paste('12.50 US dollars');
    expect(given()).toBe('12.50');
    await userEvent.clear(input());
    await userEvent.paste('1.000');
    expect(given()).toBe('');
    expect(input()).toBeInvalid();
  });

  it.each(availableLanguages)('reads in %s what it shows there, by itself', async (lang) => {
    await showLanguage(lang);
    render(<Form />);
    const shown = formatDigits('1234567.80');
    await userEvent.click(input());
    await userEvent.paste(shown);
    expect(given()).toBe('1234567.80');
    await leave();
    expect(input()).toHaveValue(shown);
    await userEvent.clear(input());
    await userEvent.paste(formatDigits('1000'));
    expect(given()).toBe('1000');
    expect(input()).toBeValid();
  });

  it('is edited without groups, with the decimal mark of the language', async () => {
    await showLanguage('de');
    render(<Form start="1000.5" />);
    expect(input()).toHaveValue('1.000,50');
    await userEvent.click(input());
    expect(input()).toHaveValue('1000,5');
    await userEvent.type(input(), '5');
    expect(given()).toBe('1000.55');
    await leave();
    expect(input()).toHaveValue('1.000,55');
  });

  it('shows the amount that the form sets over what was typed', async () => {
    render(<Form />);
    await userEvent.type(input(), '1.000');
    expect(input()).toBeInvalid();
    await userEvent.click(screen.getByRole('button', { name: 'Take all' }));
    expect(input()).toHaveValue('2,500.50');
    expect(input()).toBeValid();
  });

  it('takes no decimals where the currency has none', async () => {
    cacheConfig({ ...aConfig, currency: { code: 'JPY', decimals: 0, symbol: '¥' } });
    render(<Form />);
    await userEvent.type(input(), '15.7');
    expect(input()).toHaveValue('15.7');
    expect(input()).toHaveAccessibleDescription(/Whole amounts only, without decimals/);
    expect(given()).toBe('');
  });

  it('names a currency once whose sign is its code', () => {
    cacheConfig({ ...aConfig, currency: { code: 'USDT', decimals: 2, symbol: 'USDT' } });
    render(<Form />);
    expect(screen.getByText('USDT')).toBeVisible();
  });

  it('shows the currency and ties error and hint to the input', () => {
    render(<Form error="Out of range" />);
    expect(screen.getByText('USD')).toBeVisible();
    expect(input()).toBeInvalid();
    expect(input()).toHaveAccessibleDescription('Out of range Between 1 and 2');
  });
});
