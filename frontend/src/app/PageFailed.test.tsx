import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { noteMissingStyles } from '@/shared/page/missing-files';
import { PageFailed } from './PageFailed';
import { preloadable } from './preloadable';

let connected: boolean;
let heldBack: boolean;
const load = vi.fn(async () => {
  if (!connected || heldBack) throw new TypeError('Failed to fetch dynamically imported module');
  return () => <p>The wallet</p>;
});

function open() {
  const page = preloadable(load);
  const Shown = () => {
    const Page = page.component();
    return <Page />;
  };
  const router = createMemoryRouter([
    {
      path: '/',
      element: <Shown />,
      errorElement: <PageFailed />,
      loader: () => {
        void page.preload().catch(() => {});
        return null;
      },
      hydrateFallbackElement: <></>,
    },
  ]);
  render(<RouterProvider router={router} />);
}

noteMissingStyles();

beforeEach(() => {
  connected = false;
  heldBack = false;
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('fetch', async () => {
    if (connected) return new Response();
    throw new TypeError('Failed to fetch');
  });
});

describe('a page that is not on the device', () => {
  const says = () => screen.findByText(/this page is not saved on this device yet/);

  it('says why it does not open, and opens as soon as the connection is back', async () => {
    open();
    expect(await says()).toBeVisible();
    connected = true;
    fireEvent(window, new Event('online'));
    expect(await screen.findByText('The wallet')).toBeVisible();
  });

  it('looks for the connection itself, because a browser only guesses', async () => {
    open();
    await says();
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(await says()).toBeVisible();
    connected = true;
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(await screen.findByText('The wallet')).toBeVisible();
  });

  it('tells what the device holds back from a lost connection, and can then be reloaded', async () => {
    connected = true;
    heldBack = true;
    const reload = vi.fn();
    vi.stubGlobal('location', { ...window.location, reload });
    open();
    expect(
      await screen.findByText(/although the server can be reached.* ad blocker/),
    ).toBeVisible();
    expect(screen.queryByText(/No connection/)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(reload).toHaveBeenCalledOnce();
    heldBack = false;
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(await screen.findByText('The wallet')).toBeVisible();
  });

  it('can be asked for, with the style sheets that it missed', async () => {
    open();
    await says();
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    document.head.append(link);
    link.dispatchEvent(new Event('error'));
    connected = true;
    await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
    await vi.waitFor(() => expect(document.head.contains(link)).toBe(false));
    const again = document.head.querySelector<HTMLLinkElement>('link[rel="stylesheet"]');
    expect(screen.queryByText('The wallet')).toBeNull();
    act(() => void again?.dispatchEvent(new Event('load')));
    expect(await screen.findByText('The wallet')).toBeVisible();
    again?.remove();
  });
});
