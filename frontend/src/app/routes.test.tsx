import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';
import { signIn } from '@/testing/sign-in';
import { routeAt, routeName, routes } from './routes';

describe('routes', () => {
  it('ask for a login but for the four that lead to one', () => {
    const open = routes.filter((route) => !route.needsLogin).map((route) => route.path);
    expect(open).toEqual(['/login', '/register', '/entry', '/ad-welcome']);
  });

  it('follow the specification in back, icons and header', () => {
    expect(routeAt('/ad-center')).toMatchObject({ back: 'native' });
    expect(routeAt('/ad-center').icons).toContain('logout');
    expect(routeAt('/plan')).toMatchObject({ back: { to: '/ad-center' } });
    expect(routeAt('/plan').icons).toContain('logout');
    expect(routeAt('/login').icons).toContain('service');
    expect(routeAt('/customer').icons).toEqual([]);
    const transparent = routes.filter((route) => route.transparent).map((route) => route.path);
    expect(transparent).toEqual(['/ad-welcome', '/plan/goods-detail']);
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
    expect(await screen.findByText('There is no page here')).toBeVisible();
  });

  it('come back to the page that asked for the login', async () => {
    fakeApi({
      'POST /auth/v2/login': () => ({ token: 't', user: aUser }),
      'POST /user/notifications': () => ({ items: [], next_cursor: null }),
      'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    });
    renderApp('/notification');
    await signIn();
    await waitFor(() => expect(address()).toBe('/notification'));
  });
});
