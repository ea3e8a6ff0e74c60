import { act } from '@testing-library/react';
import type { Root } from 'react-dom/client';
import { afterEach, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { aUser } from '@/testing/data';

const roots: Root[] = [];

vi.mock('react-dom/client', async (original) => {
  const client = await original<typeof import('react-dom/client')>();
  const createRoot: typeof client.createRoot = (...of) => {
    const root = client.createRoot(...of);
    roots.push(root);
    return root;
  };
  return { ...client, createRoot };
});

/** The app never unmounts itself, and would go on drawing when the page of the test is gone. */
afterEach(() => {
  act(() => {
    for (const root of roots.splice(0)) root.unmount();
  });
});

it('hears of other tabs also while the server does not answer', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  session.signIn({ token: 'token-1', user: aUser });
  window.location.hash = '#/me';
  const root = document.body.appendChild(document.createElement('div'));
  root.id = 'root';
  await act(() => import('@/main'));
  await vi.waitFor(() => expect(root).toHaveTextContent(aUser.username), 20_000);
  localStorage.removeItem('fb_token');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'fb_token' })));
  expect(session.get().token).toBeNull();
});
