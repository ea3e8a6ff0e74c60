import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { adCenterAnswers } from '@/testing/answers';
import { fakeApi, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';
import { signIn } from '@/testing/sign-in';
import { type Route, routeAt, routeName, routes } from './routes';

const quiet = {
  'POST /user/notifications': () => ({ items: [], next_cursor: null }),
  'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
};

/** Section 2 of the specification, row by row. A row lists only what differs from the default. */
const usual = ['language', 'notification'];
const rows: [path: string, notes: Partial<Route>][] = [
  ['/login', { needsLogin: false, back: 'none', icons: ['service', 'language'] }],
  ['/register', { needsLogin: false, back: 'none', icons: ['service', 'language'] }],
  ['/entry', { needsLogin: false }],
  ['/ad-welcome', { needsLogin: false, back: 'none', icons: [], transparent: true }],
  ['/ad-center', { back: 'native', icons: ['language', 'notification', 'logout'] }],
  ['/ad-center/activities', {}],
  ['/ad-center/coupons', {}],
  ['/ad-center/edit-login-password', {}],
  ['/ad-center/edit-pay-password', {}],
  ['/ad-center/feedback', {}],
  ['/ad-center/level', {}],
  ['/ad-center/operated', {}],
  ['/ad-center/ques-detail', { icons: [] }],
  ['/notification', {}],
  ['/plan', { back: { to: '/ad-center' }, icons: ['language', 'notification', 'logout'] }],
  ['/plan/detail', {}],
  ['/plan/goods-detail', { transparent: true }],
  ['/wallet', {}],
  ['/wallet/bind-card', {}],
  ['/wallet/foreign-exchange', { transparent: true }],
  ['/wallet/set-password', {}],
  ['/customer', { icons: [] }],
];

describe('routes', () => {
  it.each(rows)('%s is as the specification says', (path, notes) => {
    const expected = { needsLogin: true, back: 'history', transparent: false, icons: usual };
    // The specification leaves open what /entry shows while it exchanges its ticket.
    const free = path === '/entry' ? { back: expect.anything(), icons: expect.anything() } : {};
    expect(routeAt(path)).toMatchObject({ ...expected, ...notes, ...free });
  });

  it('of our own need a login, as nothing marks them otherwise', () => {
    const specified = rows.map(([path]) => path);
    const own = routes.filter(({ path }) => !specified.includes(path));
    // Who forgot the password cannot log in; publishers have a link instead.
    const open = own.filter(({ needsLogin }) => !needsLogin);
    expect(open.map(({ path }) => path)).toEqual(['/reset-password', '/publisher', '/claim']);
  });

  it('are named by their segments', () => {
    expect(routeName('/plan/goods-detail')).toBe('plan-goods-detail');
  });

  it('start at the login', async () => {
    renderApp('/');
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeVisible();
    expect(address()).toBe('/login');
  });

  it.each(routes.filter((route) => route.needsLogin).map((route) => route.path))(
    'send %s to the login without a token, replacing history',
    async (path) => {
      renderApp(path);
      const entries = window.history.length;
      await waitFor(() => expect(address()).toBe('/login'));
      expect(window.history.length).toBe(entries);
    },
  );

  it('answer an unknown path with a page of their own', async () => {
    renderApp('/nowhere');
    expect(await screen.findByText('Page not found')).toBeVisible();
  });

  it.each(['/test', '/gallery'])(
    'leave out the test page: there is no such route',
    async (path) => {
      renderApp(path);
      expect(await screen.findByText('Page not found')).toBeVisible();
      expect(routes.map((route) => route.path)).not.toContain(path);
    },
  );

  it.each(['/login', '/register'])('lead who is signed in on from %s', async (path) => {
    fakeApi({ ...quiet, ...adCenterAnswers });
    renderApp(path, { ...aUser, store_opened: false });
    await waitFor(() => expect(address()).toBe('/ad-welcome'));
    cleanup();
    renderApp(path, aUser);
    await waitFor(() => expect(address()).toBe('/ad-center'));
  });

  it('come back to the page that asked for the login', async () => {
    fakeApi({
      ...quiet,
      'POST /auth/v2/login': () => ({ token: 't', user: aUser }),
    });
    renderApp('/notification');
    await signIn();
    await waitFor(() => expect(address()).toBe('/notification'));
  });

  it('come back to the page whose session ended', async () => {
    fakeApi({
      ...quiet,
      'POST /user/notifications': ({ headers }) =>
        headers.get('X-CT') === 'fresh'
          ? { items: [], next_cursor: null }
          : new Refusal(503, '', { error: 'token_expired' }),
      'POST /auth/v2/login': () => ({ token: 'fresh', user: aUser }),
    });
    renderApp('/notification', aUser);
    await signIn();
    await waitFor(() => expect(address()).toBe('/notification'));
    expect(await screen.findByText('Nothing here')).toBeVisible();
  });

  it.each(routes)('draw $path with all that its file exports', async ({ load }) => {
    expect(Object.keys(await load())).toEqual([expect.stringMatching(/Page$/)]);
  });

  it('of the links on the page about the account are there', async () => {
    fakeApi({ ...quiet, 'GET /user/info': () => aUser });
    renderApp('/me', aUser);
    const main = within(await screen.findByRole('main'));
    const known = routes.map((route) => route.path);
    const links = (await main.findAllByRole('link')).map((link) =>
      link.getAttribute('href')?.slice(1),
    );
    expect(links.length).toBeGreaterThan(7);
    for (const link of links) expect(known).toContain(link);
  });

  it('give the welcome page a white header with nothing in it', async () => {
    fakeApi(quiet);
    const { container } = renderApp('/ad-welcome', aUser);
    await screen.findByText(/Everything is ready/);
    const header = container.querySelector('header');
    expect(header).toHaveAttribute('data-transparent', 'true');
    expect(header?.querySelectorAll('button, h1')).toHaveLength(0);
  });
});
