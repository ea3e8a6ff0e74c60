import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ToastProvider } from '@/ui/feedback/ToastProvider';
import { PullToRefresh } from './PullToRefresh';

const asOf = new Date().setHours(12, 41, 0, 0);

function renderPage(onRefresh: () => Promise<unknown> = async () => {}) {
  const refresh = vi.fn(onRefresh);
  render(
    <>
      <PullToRefresh asOf={asOf} onRefresh={refresh}>
        <p>The page</p>
      </PullToRefresh>
      <ToastProvider />
    </>,
  );
  return refresh;
}

type Way = { down: number; aside?: number };

async function pull({ down, aside = 0 }: Way, end: 'touchEnd' | 'touchCancel' = 'touchEnd') {
  const page = screen.getByText('The page');
  const at = (x: number, y: number) => ({ touches: [{ clientX: x, clientY: y }] });
  fireEvent.touchStart(page, at(100, 100));
  fireEvent.touchMove(page, at(100 + aside / 2, 100 + down / 2));
  fireEvent.touchMove(page, at(100 + aside, 100 + down));
  await act(async () => void fireEvent[end](page, { touches: [] }));
}

beforeEach(() => {
  window.scrollY = 0;
});

describe('PullToRefresh', () => {
  it('says how old the page is without being asked only once that matters', () => {
    vi.useFakeTimers({ now: asOf });
    renderPage();
    const button = screen.getByRole('button', { name: /^As of 12:41.*Refresh$/ });
    expect(button).toHaveAttribute('data-quiet', 'true');
    act(() => void vi.advanceTimersByTime(119_000));
    expect(button).toHaveAttribute('data-quiet', 'true');
    act(() => void vi.advanceTimersByTime(1000));
    expect(button).toHaveAttribute('data-quiet', 'false');
    vi.useRealTimers();
  });

  it('refreshes when it is pulled far enough and let go', async () => {
    const refresh = renderPage();
    await pull({ down: 50 });
    expect(refresh).not.toHaveBeenCalled();
    await pull({ down: 120 }, 'touchCancel');
    expect(refresh).not.toHaveBeenCalled();
    await pull({ down: 120 });
    expect(refresh).toHaveBeenCalledOnce();
  });

  it('says what letting go would do', () => {
    renderPage();
    const page = screen.getByText('The page');
    fireEvent.touchStart(page, { touches: [{ clientX: 0, clientY: 0 }] });
    fireEvent.touchMove(page, { touches: [{ clientX: 0, clientY: 40 }] });
    expect(screen.getByText('Pull down to refresh')).toBeInTheDocument();
    fireEvent.touchMove(page, { touches: [{ clientX: 0, clientY: 120 }] });
    expect(screen.getByText('Let go to refresh')).toBeInTheDocument();
  });

  it.each([
    ['scrolls further up', { down: 120 }, 300],
    ['swipes sideways', { down: 120, aside: 150 }, 0],
    ['scrolls down', { down: -120 }, 0],
  ])('leaves alone who %s', async (_, way, top) => {
    const refresh = renderPage();
    window.scrollY = top;
    await pull(way);
    expect(refresh).not.toHaveBeenCalled();
  });

  it('can be had by a button that says how old the page is', async () => {
    let answer = () => {};
    const refresh = renderPage(() => new Promise<void>((resolve) => (answer = resolve)));
    const button = screen.getByRole('button', { name: /^As of 12:41.*Refresh$/ });
    await userEvent.click(button);
    expect(button).toHaveTextContent('Refreshing');
    await userEvent.click(button);
    expect(refresh).toHaveBeenCalledOnce();
    expect(button).toHaveFocus();
    await act(async () => answer());
    expect(screen.getByText(/^Up to date as of/)).toHaveAttribute('role', 'status');
  });

  it('says when not everything could be read, and how old what remains is', async () => {
    renderPage(async () => {
      throw new Error('lost');
    });
    await userEvent.click(screen.getByRole('button', { name: /Refresh/ }));
    expect(
      await screen.findByText(/^Some figures could not be refreshed.*from 12:41/),
    ).toBeVisible();
    expect(screen.queryByText(/^Up to date/)).toBeNull();
  });
});
