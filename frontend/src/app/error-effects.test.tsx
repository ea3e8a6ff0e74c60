import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { call } from '@/api/call';
import { session } from '@/api/session';
import { showLanguage } from '@/i18n/texts';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';

const quiet = {
  'POST /user/notifications': () => ({ items: [], next_cursor: null }),
  'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
};

/** Any call on any page that is answered with this code. */
async function meet(code: number, msg = '', entry: 'register' | 'app' = 'register', lang = 'en') {
  fakeApi({ ...quiet, 'POST /plan/order/await/put/count': () => new Refusal(code, msg, { lang }) });
  renderApp('/notification?from=shell', { ...aUser, entry });
  await screen.findByText('Nothing here');
  await call('POST', '/plan/order/await/put/count').catch(() => {});
}

it('an answer to a session that another tab has followed by the next leads nowhere', async () => {
  fakeApi({
    ...quiet,
    'POST /plan/order/await/put/count': () => {
      // Of which this tab has yet to hear.
      localStorage.setItem('fb_token', 'token-2');
      return new Refusal(503);
    },
  });
  renderApp('/notification', aUser);
  await screen.findByText('Nothing here');
  await act(() => call('POST', '/plan/order/await/put/count').catch(() => {}));
  expect(address()).toBe('/notification');
  expect(localStorage.getItem('fb_token')).toBe('token-2');
});

/** Section 8 of the specification, code by code, in the real app. */
describe('the error catalogue', () => {
  it('200 gives the data', async () => {
    fakeApi({ 'POST /plan/order/await/put/count': () => ({ some: 'data' }) });
    expect(await call('POST', '/plan/order/await/put/count')).toEqual({ some: 'data' });
  });

  it.each([
    [400, 'Amount is not valid', 'Amount is not valid'],
    [400, '', 'System error'],
    [401, 'User not authorized', 'User not authorized'],
    [405, 'Insufficient balance', 'Insufficient balance'],
    [405, '', 'Something went wrong. Please try again.'],
    [500, 'Busy', 'Busy'],
    [500, '', 'Server error'],
    [4001, '', 'Username already exists'],
    [777, 'Something new', 'Something new'],
    [777, '', 'Something went wrong. Please try again.'],
  ])('%i with "%s" says "%s", and stays', async (code, msg, text) => {
    await meet(code, msg);
    expect(await screen.findByText(text)).toBeVisible();
    expect(address()).toBe('/notification?from=shell');
    expect(session.get().token).toBe('token-1');
  });

  it.each([
    [402, 'Account not activated, contact customer service'],
    [403, 'Account disabled, contact customer service'],
    [404, 'Account cancelled, contact customer service'],
  ])('%i opens the contacts with "%s"', async (code, text) => {
    await meet(code);
    const dialog = await screen.findByRole('dialog', { name: 'Customer service' });
    expect(dialog).toHaveTextContent(text);
    expect(dialog).toHaveTextContent('Customer service 1 - Live chat');
  });

  it.each([402, 403, 404])('%i switches to the language that the map names', async (code) => {
    await meet(code, '', 'register', 'zh-CN');
    await waitFor(() => expect(document.documentElement.lang).toBe('zh-Hans'));
    expect(await screen.findByRole('dialog', { name: '在线客服' })).toBeVisible();
  });

  it('a language nobody knows changes nothing', async () => {
    await meet(403, '', 'register', 'xx');
    await screen.findByRole('dialog', { name: 'Customer service' });
    expect(document.documentElement.lang).toBe('en');
  });

  it.each(['/ad-welcome?from=shell', '/entry?ticket=T1&from=shell'])(
    '401 on the entry route %s switches the language and keeps the query',
    async (place) => {
      fakeApi({
        'POST /auth/entry': () => new Refusal(401, '', { lang: 'zh-CN' }),
        'POST /plan/order/await/put/count': () => new Refusal(401, '', { lang: 'zh-CN' }),
      });
      renderApp(place);
      await screen.findByRole('heading', { level: 1 });
      await call('POST', '/plan/order/await/put/count').catch(() => {});
      const query = place.slice(place.indexOf('?'));
      await waitFor(() => expect(address()).toBe(`/ad-welcome${query}`));
      await waitFor(() => expect(document.documentElement.lang).toBe('zh-Hans'));
    },
  );

  it('401 elsewhere stays, also for who came by a shell', async () => {
    await meet(401, 'User not authorized', 'app', 'zh-CN');
    expect(await screen.findByText('User not authorized')).toBeVisible();
    expect(address()).toBe('/notification?from=shell');
    expect(document.documentElement.lang).toBe('en');
  });

  it.each([
    ['register', '/login'],
    ['app', '/ad-welcome'],
  ] as const)('503 clears the session of who came by %s and leads to %s', async (entry, path) => {
    await meet(503, '', entry);
    // A toast may take the place of another with the same words.
    await waitFor(() =>
      expect(screen.getByText('Login expired, please log in again')).toBeVisible(),
    );
    await waitFor(() => expect(address()).toBe(path));
    expect(session.get()).toMatchObject({ token: null, user: null });
    expect(localStorage.getItem('fb_token')).toBeNull();
    expect(localStorage.getItem('fb_userInfo')).toBeNull();
  });

  it('503 leads back, after signing in again, to the page on which the session ended', async () => {
    fakeApi({
      ...quiet,
      'GET /user/sessions': () => [],
      'POST /plan/order/await/put/count': () => new Refusal(503),
    });
    renderApp('/me/sessions', aUser);
    await userEvent.click(await screen.findByRole('button', { name: /^Notifications/ }));
    await screen.findByText('Nothing here');
    await call('POST', '/plan/order/await/put/count').catch(() => {});
    await waitFor(() => expect(address()).toBe('/login'));
    await screen.findByRole('button', { name: 'Log in' });
    act(() => session.signIn({ token: 'token-2', user: aUser }));
    await waitFor(() => expect(address()).toBe('/notification'));
  });

  it('503 tells a shell, which may enter again', async () => {
    const said: string[] = [];
    window.PlacardAndroid = { postMessage: (json) => said.push(json) };
    await meet(503, '', 'app');
    await waitFor(() => expect(said).toEqual(['{"type":"session_ended"}']));
    window.PlacardAndroid = undefined;
  });

  it('a non-OK HTTP status throws with its text', async () => {
    fakeApi({
      'GET /level': () => new Response('', { status: 502, statusText: 'Bad Gateway' }),
    });
    await expect(call('GET', '/level')).rejects.toMatchObject({
      status: 502,
      message: 'Bad Gateway',
    });
  });

  it.each([
    [502, 'Bad Gateway', 'The server cannot answer right now. Please try again in a moment.'],
    [503, '', 'The server cannot answer right now. Please try again in a moment.'],
    [429, 'Too Many Requests', 'Too many attempts. Please try again in 1 minute.'],
    [500, 'Internal Server Error', 'Something went wrong. Please try again.'],
  ])(
    'HTTP %i with "%s" says "%s", and not that there is no connection',
    async (status, statusText, text) => {
      fakeApi({
        'POST /plan/order/await/put/count': () => new Response('', { status, statusText }),
      });
      renderApp('/login');
      await screen.findByRole('heading', { level: 1 });
      await call('POST', '/plan/order/await/put/count').catch(() => {});
      expect(await screen.findByText(text)).toBeVisible();
      expect(screen.queryByText(/No connection/)).not.toBeInTheDocument();
    },
  );

  it.each([
    ['en', '840', 'Too many attempts. Please try again in 14 minutes.'],
    ['en', '86000', 'Too many attempts. Please try again in 24 hours.'],
    ['de', '61', 'Zu viele Versuche. Bitte versuchen Sie es in 2 Minuten erneut.'],
    ['ru', '840', 'Слишком много попыток. Попробуйте ещё раз через 14 минут.'],
    ['zh', '840', '操作过于频繁，14 分钟后可再试。'],
    ['cht', '840', '嘗試次數過多，14 分鐘後可再試。'],
    ['jp', '840', '試行回数が多すぎます。14分後にもう一度お試しください。'],
    // Such as a date, which a proxy may send.
    ['en', 'Sun, 29 Nov 2026 10:00:00 GMT', 'Too many attempts. Please try again in 1 minute.'],
  ] as const)('HTTP 429 says in %s when to try again after %s', async (lang, seconds, text) => {
    await showLanguage(lang);
    fakeApi({
      'POST /plan/order/await/put/count': () =>
        new Response('', { status: 429, headers: { 'Retry-After': seconds } }),
    });
    renderApp('/login');
    await screen.findByRole('heading', { level: 1 });
    await call('POST', '/plan/order/await/put/count').catch(() => {});
    expect(await screen.findByText(text)).toBeVisible();
  });

  it('an HTTP status is told in the language of its reader', async () => {
    await showLanguage('de');
    fakeApi({
      'POST /plan/order/await/put/count': () =>
        new Response('', { status: 502, statusText: 'Bad Gateway' }),
    });
    renderApp('/login');
    await screen.findByRole('heading', { level: 1 });
    await call('POST', '/plan/order/await/put/count').catch(() => {});
    expect(await screen.findByText(/Der Server kann gerade nicht antworten/)).toBeVisible();
  });

  it.each(['null', '<html>'])('%s is no envelope, and no lost connection', async (answer) => {
    fakeApi({ 'POST /plan/order/await/put/count': () => new Response(answer) });
    renderApp('/login');
    await screen.findByRole('heading', { level: 1 });
    await call('POST', '/plan/order/await/put/count').catch(() => {});
    expect(await screen.findByText('Something went wrong. Please try again.')).toBeVisible();
  });

  it('shows the words for a lost connection in every language', async () => {
    await showLanguage('de');
    fakeApi({ 'POST /plan/order/await/put/count': lostConnection });
    renderApp('/login');
    await screen.findByRole('heading', { level: 1 });
    await call('POST', '/plan/order/await/put/count').catch(() => {});
    expect(await screen.findByText(/Ihre Eingaben bleiben erhalten/)).toBeVisible();
  });
});
