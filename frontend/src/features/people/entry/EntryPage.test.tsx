import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { chooseLanguage, currentLanguage } from '@/i18n/texts';
import { adCenterAnswers, barAnswers } from '@/testing/answers';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';

const appUser = { ...aUser, entry: 'app' as const };

describe('the entry page', () => {
  it('exchanges the ticket once', async () => {
    const api = fakeApi({
      ...barAnswers,
      'POST /auth/entry': () => ({ token: 't', user: { ...appUser, store_opened: false } }),
    });
    renderApp('/entry?ticket=T1');
    await waitFor(() => expect(address()).toBe('/ad-welcome'));
    expect(session.get().user?.entry).toBe('app');
    expect(api.to('/auth/entry').map(({ body }) => body)).toEqual([{ ticket: 'T1' }]);
  });

  it('begins in the language that the ticket brings, unless one was chosen', async () => {
    fakeApi({ ...adCenterAnswers, 'POST /auth/entry': () => ({ token: 't', user: appUser }) });
    renderApp('/entry?ticket=T1&lang=de');
    await waitFor(() => expect(address()).toBe('/ad-center'));
    expect(currentLanguage()).toBe('de');
    expect(localStorage.getItem('lang')).toBeNull();
  });

  it('keeps the language that the user has chosen', async () => {
    await chooseLanguage('zh');
    fakeApi({ ...adCenterAnswers, 'POST /auth/entry': () => ({ token: 't', user: appUser }) });
    renderApp('/entry?ticket=T1&lang=de');
    await waitFor(() => expect(address()).toBe('/ad-center'));
    expect(currentLanguage()).toBe('zh');
  });

  it('goes to the ad center when the account is open', async () => {
    fakeApi({ ...adCenterAnswers, 'POST /auth/entry': () => ({ token: 't', user: appUser }) });
    renderApp('/entry?ticket=T1');
    await waitFor(() => expect(address()).toBe('/ad-center'));
  });

  it.each([
    [401, { error: 'ticket_invalid', lang: 'en' }],
    [401, { error: 'no_auth', lang: 'en' }],
  ])(
    'leads to the welcome page with its query when a ticket is spent: %i %j',
    async (code, data) => {
      fakeApi({ 'POST /auth/entry': () => new Refusal(code, 'no', data) });
      renderApp('/entry?ticket=T1&from=shell');
      const told = await screen.findByRole('heading', { name: 'This link no longer works' });
      expect(told).toBeVisible();
      expect(address()).toBe('/ad-welcome?ticket=T1&from=shell');
      expect(
        screen.queryByRole('button', { name: /Log in|Create account/ }),
      ).not.toBeInTheDocument();
      expect(screen.queryByRole('link', { name: /Log in|Create account/ })).not.toBeInTheDocument();
    },
  );

  it('leads there without a ticket too, and asks nobody', async () => {
    const api = fakeApi({});
    renderApp('/entry?from=shell');
    await waitFor(() => expect(address()).toBe('/ad-welcome?from=shell'));
    expect(api.to('/auth/entry')).toEqual([]);
  });

  it('takes the next ticket of a shell where the first was spent', async () => {
    const api = fakeApi({
      ...barAnswers,
      'POST /auth/entry': ({ body }) =>
        (body as { ticket: string }).ticket === 'T2'
          ? { token: 't', user: { ...appUser, store_opened: false } }
          : new Refusal(401, 'no', { error: 'ticket_invalid' }),
    });
    renderApp('/entry?ticket=T1');
    await screen.findByText('This link no longer works');
    act(() => {
      window.location.hash = '#/entry?ticket=T2';
    });
    await waitFor(() => expect(address()).toBe('/ad-welcome'));
    expect(api.to('/auth/entry')).toHaveLength(2);
  });

  it('leads on who is signed in and brings no ticket', async () => {
    const api = fakeApi(adCenterAnswers);
    renderApp('/entry', appUser);
    await waitFor(() => expect(address()).toBe('/ad-center'));
    expect(api.to('/auth/entry')).toEqual([]);
  });

  describe('where somebody else is signed in', () => {
    const grace = { ...appUser, id: '99', username: 'grace' };
    const api = () =>
      fakeApi({
        ...adCenterAnswers,
        'POST /auth/entry/account': () => ({ username: 'grace' }),
        'POST /auth/entry': () => ({ token: 'token-2', user: grace }),
        'POST /auth/logout': () => ({}),
        'GET /user/info': () => (session.get().token === 'token-2' ? grace : appUser),
      });

    it('bars nobody for an account that the ticket is of', async () => {
      const fake = api();
      const message = 'Account disabled, contact customer service';
      fake.answer('POST /auth/entry/account', () => new Refusal(403, message, { lang: 'en' }));
      renderApp('/entry?ticket=T1', appUser);
      const told = await screen.findByRole('dialog', { name: 'Customer service' });
      expect(told).toHaveTextContent(message);
      const [close] = within(told).getAllByRole('button', { name: 'Close' });
      await userEvent.click(close as HTMLElement);
      // The entry that the dialog had in the history.
      await waitFor(() => expect(window.history.state?.held).toBeUndefined());
      act(() => {
        window.location.hash = '#/ad-center';
      });
      expect(await screen.findByRole('region', { name: 'Your money and today' })).toBeVisible();
    });

    it('names both and stays with who is signed in', async () => {
      const fake = api();
      renderApp('/entry?ticket=T1', appUser);
      const dialog = await screen.findByRole('dialog', { name: 'Switch to another account?' });
      expect(dialog).toHaveTextContent(`You are logged in as ${appUser.username}`);
      expect(dialog).toHaveTextContent('This link logs you in as grace');
      expect(fake.to('/auth/entry')).toEqual([]);
      await userEvent.click(screen.getByRole('button', { name: /Stay logged in as/ }));
      await waitFor(() => expect(address()).toBe('/ad-center'));
      expect(session.get()).toMatchObject({ token: 'token-1', user: { id: appUser.id } });
      expect(fake.to('/auth/entry')).toEqual([]);
    });

    it('enters when it is told to, and ends the session before', async () => {
      const fake = api();
      renderApp('/entry?ticket=T1', appUser);
      await userEvent.click(await screen.findByRole('button', { name: 'Continue as grace' }));
      await waitFor(() => expect(address()).toBe('/ad-center'));
      expect(session.get()).toMatchObject({ token: 'token-2', user: { username: 'grace' } });
      expect(fake.to('/auth/entry')).toHaveLength(1);
      expect(fake.to('/auth/logout').map(({ headers }) => headers.get('X-CT'))).toEqual([
        'token-1',
      ]);
    });

    it('says who is still signed in when the ticket ran out meanwhile', async () => {
      const fake = api();
      fake.answer('POST /auth/entry', () => new Refusal(401, 'no', { error: 'ticket_invalid' }));
      renderApp('/entry?ticket=T1', appUser);
      await userEvent.click(await screen.findByRole('button', { name: 'Continue as grace' }));
      await screen.findByRole('heading', { name: 'This link no longer works' });
      expect(screen.getByText(`You are still logged in as ${appUser.username}.`)).toBeVisible();
      expect(session.get().token).toBe('token-1');
      expect(fake.to('/auth/logout')).toEqual([]);
    });
  });

  it('asks nobody whose own ticket it is', async () => {
    const fake = fakeApi({
      ...adCenterAnswers,
      'POST /auth/entry/account': () => ({ username: appUser.username }),
      'POST /auth/entry': () => ({ token: 'token-2', user: appUser }),
    });
    renderApp('/entry?ticket=T1', appUser);
    await waitFor(() => expect(address()).toBe('/ad-center'));
    expect(session.get().token).toBe('token-2');
    expect(fake.to('/auth/logout')).toEqual([]);
  });

  it('tries again after a lost connection', async () => {
    const api = fakeApi({ ...barAnswers, 'POST /auth/entry': lostConnection });
    renderApp('/entry?ticket=T1');
    const again = await screen.findByRole('button');
    api.answer('POST /auth/entry', () => ({
      token: 't',
      user: { ...appUser, store_opened: false },
    }));
    await userEvent.click(again);
    await waitFor(() => expect(address()).toBe('/ad-welcome'));
  });

  it.each([
    ['a server that fails', () => new Refusal(500, 'Busy')],
    ['a proxy that does', () => new Response('', { status: 502, statusText: 'Bad Gateway' })],
  ])('tries again after %s, without calling it a lost connection', async (_what, answer) => {
    const api = fakeApi({ ...adCenterAnswers, 'POST /auth/entry': answer });
    renderApp('/entry?ticket=T1');
    const again = await screen.findByRole('button', { name: 'Reload' });
    expect(screen.queryByText(/connection/i)).not.toBeInTheDocument();
    api.answer('POST /auth/entry', () => ({ token: 't', user: appUser }));
    await userEvent.click(again);
    await waitFor(() => expect(address()).toBe('/ad-center'));
  });

  it('speaks the language of the refusal on the welcome page', async () => {
    fakeApi({
      'POST /auth/entry': () => new Refusal(401, 'no', { error: 'ticket_invalid', lang: 'zh' }),
    });
    renderApp('/entry?ticket=T1&from=shell');
    await waitFor(() => expect(address()).toBe('/ad-welcome?ticket=T1&from=shell'));
    await waitFor(() => expect(document.documentElement.lang).toBe('zh-Hans'));
  });
});
