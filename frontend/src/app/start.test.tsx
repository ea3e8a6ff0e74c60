import { act } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { aUser } from '@/testing/data';

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
