import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PinField } from './PinField';
import { PinPad } from './PinPad';

const vibrate = vi.fn();

function withMedia(...matching: string[]) {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: matching.some((one) => query.includes(one)),
  }));
}

function Field({ length }: { length?: number }) {
  const [digits, setDigits] = useState('');
  return <PinField label="Digits, please" value={digits} onChange={setDigits} length={length} />;
}

function Pad({ maxLength }: { maxLength?: number }) {
  const [digits, setDigits] = useState('');
  return (
    <>
      <output>{digits}</output>
      <PinPad value={digits} onChange={setDigits} maxLength={maxLength} />
    </>
  );
}

const digit = (name: string) => screen.findByRole('button', { name });

beforeEach(() => {
  vibrate.mockReset();
  Object.assign(navigator, { vibrate });
  withMedia('pointer: coarse');
});

describe('PinPad', () => {
  it('takes any number of digits unless it is limited', async () => {
    const { unmount } = render(<Pad />);
    for (const name of '12345678901234567890') await userEvent.click(await digit(name));
    expect(screen.getByRole('status')).toHaveTextContent('12345678901234567890');
    unmount();
    render(<Pad maxLength={4} />);
    for (const name of '123456') await userEvent.click(await digit(name));
    expect(screen.getByRole('status')).toHaveTextContent(/^1234$/);
    await userEvent.click(await digit('Delete last digit'));
    await userEvent.click(await digit('9'));
    expect(screen.getByRole('status')).toHaveTextContent(/^1239$/);
  });

  it('takes none while it is disabled, also where a browser does not know what is inert', () => {
    const onChange = vi.fn();
    render(<PinPad value="" onChange={onChange} disabled />);
    fireEvent.click(screen.getByRole('button', { name: '1' }));
    expect(onChange).not.toHaveBeenCalled();
  });

  it.each([
    [undefined, '123456'],
    [4, '1234'],
    [8, '12345678'],
  ])('lets a password of length %s be %s, typed or pressed', async (length, taken) => {
    const { container } = render(<Field length={length} />);
    const field = screen.getByLabelText('Digits, please');
    await userEvent.type(field, '1234567890');
    expect(field).toHaveValue(taken);
    const boxes = [...container.querySelectorAll('[aria-hidden=true] li > i')];
    expect(boxes).toHaveLength(taken.length);
    for (const dot of boxes) expect(dot).toHaveStyle({ visibility: 'visible' });
    expect(
      screen.getByText(`${taken.length} of ${taken.length} digits entered`),
    ).toBeInTheDocument();
    await userEvent.click(await digit('5'));
    expect(field).toHaveValue(taken);
  });

  it('has a button for each digit, named by it, and one that deletes', async () => {
    render(<Field />);
    for (const name of '0123456789') expect(await digit(name)).toBeEnabled();
    for (const name of '507') await userEvent.click(await digit(name));
    expect(screen.getByLabelText('Digits, please')).toHaveValue('507');
    await userEvent.click(await digit('Delete last digit'));
    expect(screen.getByLabelText('Digits, please')).toHaveValue('50');
  });

  it('has what is entered so far counted aloud, and no digit said', async () => {
    render(<Field />);
    await userEvent.click(await digit('5'));
    expect(screen.getByText('1 of 6 digits entered')).toHaveAttribute('aria-live', 'polite');
    expect(screen.getByLabelText('Digits, please')).toHaveAttribute('type', 'password');
  });

  it('answers the thumb, unless motion is to be reduced', async () => {
    const { unmount } = render(<Field />);
    fireEvent.pointerDown(await digit('5'));
    await vi.waitFor(() => expect(vibrate).toHaveBeenCalledExactlyOnceWith(8));
    unmount();
    withMedia('pointer: coarse', 'prefers-reduced-motion');
    render(<Field />);
    fireEvent.pointerDown(await digit('5'));
    await new Promise((late) => setTimeout(late, 100));
    expect(vibrate).toHaveBeenCalledOnce();
  });
});
