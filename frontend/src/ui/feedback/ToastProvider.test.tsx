import { act, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ToastProvider } from './ToastProvider';
import { currentToast, showToast } from './toast-store';
import { showToastWithAction } from './toast-with-action';

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

  it('stay as long as it takes to read them', () => {
    vi.useFakeTimers();
    render(<ToastProvider />);
    const long = 'Your session on the other device has ended. It has to be signed in again there.';
    act(() => showToast(long));
    act(() => void vi.advanceTimersByTime(5000));
    expect(screen.getByRole('status')).toHaveTextContent(long);
    act(() => void vi.advanceTimersByTime(2000));
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    const chinese = '该设备上的会话已经结束，需要在那里重新登录才能继续使用。';
    act(() => showToast(chinese));
    act(() => void vi.advanceTimersByTime(4500));
    expect(screen.getByRole('status')).toHaveTextContent(chinese);
  });

  it('are said once, however many calls were refused alike', () => {
    vi.useFakeTimers();
    render(<ToastProvider />);
    act(() => showToast('System error', 'failure'));
    const shown = currentToast();
    act(() => void vi.advanceTimersByTime(1500));
    act(() => showToast('System error', 'failure'));
    expect(currentToast()).toBe(shown);
    act(() => void vi.advanceTimersByTime(1500));
    expect(screen.getByRole('status')).toHaveTextContent('System error');
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

  it('have a button that takes back what they say, long enough to reach it', async () => {
    vi.useFakeTimers();
    render(<ToastProvider />);
    const run = vi.fn();
    act(() => showToastWithAction('Paused', { label: 'Undo', run }));
    await act(() => vi.dynamicImportSettled());
    act(() => void vi.advanceTimersByTime(6999));
    const undo = screen.getByRole('button', { name: 'Undo' });
    act(() => undo.click());
    expect(run).toHaveBeenCalledOnce();
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });

  it('say the same of something else anew, with the button for it', async () => {
    vi.useFakeTimers();
    render(<ToastProvider />);
    const [first, second] = [vi.fn(), vi.fn()];
    act(() => showToastWithAction('Paused', { label: 'Undo', run: first }));
    act(() => showToastWithAction('Paused', { label: 'Undo', run: second }));
    await act(() => vi.dynamicImportSettled());
    act(() => screen.getByRole('button', { name: 'Undo' }).click());
    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledOnce();
    act(() => showToastWithAction('Paused', { label: 'Undo', run: first }));
    act(() => showToast('Paused', 'success'));
    expect(screen.queryByRole('button')).toBeNull();
  });
});
