import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PinField } from './PinField';

const vibrate = vi.fn();

function withMedia(...matching: string[]) {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: matching.some((one) => query.includes(one)),
  }));
}

function Field() {
  const [digits, setDigits] = useState('');
  return <PinField label="Digits, please" value={digits} onChange={setDigits} />;
}

const digit = (name: string) => screen.findByRole('button', { name });

beforeEach(() => {
  vibrate.mockReset();
  Object.assign(navigator, { vibrate });
  withMedia('pointer: coarse');
});

describe('PinPad', () => {
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
