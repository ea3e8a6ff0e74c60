import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wideScreen } from '@/testing/wide-screen';
import { Dialog } from '@/ui/layers/Dialog';
import { AmountField } from '@/ui/money/AmountField';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const amount = <AmountField label="Amount" value="" onChange={() => {}} />;
const wait = () => act(() => void vi.advanceTimersByTime(100));
const field = () => screen.getByLabelText('Amount');

describe('an amount', () => {
  it('has the focus on a desktop, which goes back to what opened its dialog', () => {
    wideScreen(true);
    const page = (open: boolean) => (
      <>
        <button type="button">Open</button>
        <Dialog open={open} title="Pay" onClose={() => {}}>
          {amount}
        </Dialog>
      </>
    );
    const { rerender } = render(page(false));
    screen.getByText('Open').focus();
    rerender(page(true));
    wait();
    expect(field()).toHaveFocus();
    rerender(page(false));
    expect(screen.getByText('Open')).toHaveFocus();
  });

  it('takes it from nothing else that somebody went to meanwhile', () => {
    wideScreen(true);
    render(
      <>
        <button type="button">Open</button>
        {amount}
      </>,
    );
    screen.getByText('Open').focus();
    wait();
    expect(screen.getByText('Open')).toHaveFocus();
  });

  it('leaves the screen of a phone as it is', () => {
    wideScreen(false);
    render(amount);
    wait();
    expect(field()).not.toHaveFocus();
  });
});
