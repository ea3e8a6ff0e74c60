import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { AmountField } from './AmountField';

function Field({ decimals = 2, error }: { decimals?: number; error?: string }) {
  const [value, setValue] = useState('');
  const currency = { code: 'USD', decimals, symbol: '$' };
  return (
    <AmountField
      label="Amount"
      value={value}
      onChange={setValue}
      currency={currency}
      error={error}
      hint="Between 1 and 2"
    />
  );
}

async function typed(text: string, decimals = 2) {
  render(<Field decimals={decimals} />);
  const input = screen.getByLabelText<HTMLInputElement>('Amount');
  await userEvent.type(input, text);
  return input.value;
}

describe('AmountField', () => {
  it.each([
    ['12.5', '12.5'],
    ['12,5', '12.5'],
    ['.5', '0.5'],
    ['007', '7'],
    ['0.00', '0.00'],
    ['1.234', '1.23'],
    ['-1e5', '15'],
    ['12345678901234567', '1234567890123'],
  ])('takes %s as %s', async (text, value) => {
    expect(await typed(text)).toBe(value);
  });

  it('shows a point that nothing follows yet, and gives an amount without it', async () => {
    const given: string[] = [];
    function Listening() {
      const [value, setValue] = useState('');
      const take = (next: string) => {
        given.push(next);
        setValue(next);
      };
      const currency = { code: 'USD', decimals: 2, symbol: '$' };
      return <AmountField label="Amount" value={value} onChange={take} currency={currency} />;
    }
    render(<Listening />);
    await userEvent.type(screen.getByLabelText('Amount'), '12.');
    expect(screen.getByLabelText('Amount')).toHaveValue('12.');
    await userEvent.type(screen.getByLabelText('Amount'), '5');
    expect(given).toEqual(['1', '12', '12', '12.5']);
  });

  it('takes no decimals where the currency has none', async () => {
    expect(await typed('15.7', 0)).toBe('157');
  });

  it('takes a pasted amount with thousands', async () => {
    render(<Field />);
    await userEvent.click(screen.getByLabelText('Amount'));
    await userEvent.paste('$1,234.50');
    expect(screen.getByLabelText('Amount')).toHaveValue('1234.50');
  });

  it('shows the currency and ties error and hint to the input', () => {
    render(<Field error="Out of range" />);
    expect(screen.getByText('USD')).toBeVisible();
    const input = screen.getByLabelText('Amount');
    expect(input).toBeInvalid();
    expect(input).toHaveAccessibleDescription('Out of range Between 1 and 2');
  });
});
