import { act, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ToastProvider } from './ToastProvider';
import { showToast } from './toast-store';

describe('toasts', () => {
  it('are announced, and go after two seconds', () => {
    vi.useFakeTimers();
    render(<ToastProvider />);
    const region = screen.getByRole('status');
    expect(region).toBeEmptyDOMElement();
    act(() => showToast('Saved', 'success'));
    expect(region).toHaveTextContent('Saved');
    expect(region).toHaveAttribute('aria-live', 'polite');
    act(() => void vi.advanceTimersByTime(1999));
    expect(region).toHaveTextContent('Saved');
    act(() => void vi.advanceTimersByTime(1));
    expect(region).toBeEmptyDOMElement();
  });

  it('replace the one before, with their own two seconds', () => {
    vi.useFakeTimers();
    render(<ToastProvider />);
    act(() => showToast('First'));
    act(() => void vi.advanceTimersByTime(1500));
    act(() => showToast('Second', 'failure'));
    act(() => void vi.advanceTimersByTime(1500));
    expect(screen.getByRole('status')).toHaveTextContent('Second');
    expect(screen.queryByText('First')).toBeNull();
  });
});
