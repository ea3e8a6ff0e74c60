import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { chooseLanguage } from '@/i18n/texts';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { renderApp } from '@/testing/render-app';
import { routes } from './routes';

const answers = {
  'POST /user/notifications': () => ({ items: [], next_cursor: null }),
  'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  'GET /user/info': () => aUser,
};

describe('a page', () => {
  it('has a name in the browser’s tab', async () => {
    const nameless = routes.filter(({ name }) => name === null).map(({ path }) => path);
    // It is gone once its ticket is exchanged.
    expect(nameless).toEqual(['/entry']);
    fakeApi(answers);
    renderApp('/notification', aUser);
    await waitFor(() => expect(document.title).toBe('Notifications – Placard'));
    await act(() => chooseLanguage('de'));
    await waitFor(() => expect(document.title).toBe('Mitteilungen – Placard'));
    act(() => {
      window.location.hash = '#/nowhere';
    });
    await waitFor(() => expect(document.title).toBe('Seite nicht gefunden – Placard'));
  });

  it('is named before the login, too', async () => {
    fakeApi(answers);
    renderApp('/login');
    await waitFor(() => expect(document.title).toBe('Log in – Placard'));
    await userEvent.click(await screen.findByRole('link', { name: 'Create one' }));
    await waitFor(() => expect(document.title).toBe('Create account – Placard'));
    const heading = await screen.findByRole('heading', { name: 'Create your account' });
    await waitFor(() => expect(heading).toHaveFocus());
  });

  it('has the focus on its heading after a navigation, and on what was opened after Back', async () => {
    fakeApi(answers);
    renderApp('/me', aUser);
    const link = await screen.findByRole('link', { name: /Edit profile/ });
    // Opened by its address, it leaves the focus to the browser.
    expect(document.body).toHaveFocus();
    await userEvent.click(link);
    const heading = await screen.findByRole('heading', { name: 'Edit profile', level: 1 });
    await waitFor(() => expect(heading).toHaveFocus());
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(screen.getByRole('link', { name: /Edit profile/ })).toHaveFocus());
  });
});

describe('an address without an id', () => {
  it.each([
    ['/plan/detail', 'Plan not found'],
    ['/plan/goods-detail', 'This product is no longer offered'],
    ['/plan/events', 'Plan not found'],
    ['/plan/event?plan=42', 'Event not found'],
  ])('%s says "%s", and asks the server nothing', async (path, text) => {
    const api = fakeApi(answers);
    renderApp(path, aUser);
    expect(await screen.findByText(text)).toBeVisible();
    expect(api.sent.filter((sent) => sent.path.startsWith('/plan/'))).toEqual([]);
  });
});
