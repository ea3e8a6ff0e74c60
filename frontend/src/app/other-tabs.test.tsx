import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import type { SignedInDevice, User } from '@/api/types';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';
import { followOtherTabs } from './other-tabs';

beforeAll(followOtherTabs);

/** What another tab stores, of which this one hears. */
function store(key: string, value: string) {
  localStorage.setItem(key, value);
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
}

function remove(key: string) {
  localStorage.removeItem(key);
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
}

function comeBack(persisted: boolean) {
  const event = Object.assign(new Event('pageshow'), { persisted });
  act(() => void window.dispatchEvent(event));
}

const somebody: User = { ...aUser, id: 'u2', username: 'bea' };

describe('what happens in another tab', () => {
  it('shows nobody what the page has read for somebody else', async () => {
    const device = (name: string): SignedInDevice => ({
      id: name,
      created_at: '2026-11-20T10:00:00Z',
      last_seen: '2026-11-20T10:00:00Z',
      device: name,
      current: true,
      operator: null,
      reason: null,
    });
    let answer = (_: SignedInDevice[]) => {};
    const later = new Promise<SignedInDevice[]>((done) => {
      answer = done;
    });
    fakeApi({
      'GET /user/sessions': ({ headers }) =>
        headers.get('X-CT') === 'token-1' ? [device('Firefox/1')] : later,
      'GET /user/info': () => somebody,
      'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    });
    renderApp('/me/sessions', aUser);
    expect(await screen.findByText('Firefox')).toBeVisible();
    // At once, as where a link with a ticket switches from one to the other.
    localStorage.setItem('fb_userInfo', JSON.stringify(somebody));
    store('fb_token', 'token-2');
    // Before anything is known of the other. A page that has just been drawn hears of it a moment later.
    await waitFor(() => expect(screen.queryByText('Firefox')).toBeNull());
    answer([device('Edg/1')]);
    expect(await screen.findByText('Edge')).toBeVisible();
  });

  it.each([
    ['register', '/login'],
    ['app', '/ad-welcome'],
  ] as const)(
    'ends the session of who came by %s here too, and is come back from',
    async (entry, path) => {
      fakeApi({
        'GET /user/sessions': () => [],
        'POST /user/notifications': () => ({ items: [], next_cursor: null }),
        'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
      });
      const user = { ...aUser, entry };
      renderApp('/me/sessions', user);
      await userEvent.click(await screen.findByRole('button', { name: /^Notifications/ }));
      await screen.findByText('Nothing here');
      localStorage.removeItem('fb_userInfo');
      remove('fb_token');
      await waitFor(() => expect(address()).toBe(path));
      store('placard_keys', '"off"');
      expect(session.get().signInPath).toBe(path);
      act(() => session.signIn({ token: 'token-2', user }));
      if (path === '/login') await waitFor(() => expect(address()).toBe('/notification'));
    },
  );

  it('changes the language here too', async () => {
    store('lang', 'de');
    await waitFor(() => expect(document.documentElement.lang).toBe('de'));
  });

  it('leaves a language that nobody chose where something else is stored', async () => {
    localStorage.setItem('lang', 'de');
    store('placard_keys', '"off"');
    await act(async () => {});
    expect(document.documentElement.lang).toBe('en');
  });

  it('is heard of by a page that was put away meanwhile', () => {
    session.signIn({ token: 'token-1', user: aUser });
    localStorage.removeItem('fb_token');
    localStorage.removeItem('fb_userInfo');
    comeBack(false);
    expect(session.get().token).toBe('token-1');
    comeBack(true);
    expect(session.get()).toMatchObject({ token: null, user: null });
  });
});
