import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { call } from '@/api/call';
import { session } from '@/api/session';
import { appLanguages } from '@/i18n/languages';
import { unread } from '@/shared/account/unread';
import { nativeBackEvent } from '@/shared/navigation/native-shell';
import { openCustomerService } from '@/shared/service/customer-service';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aConfig, aUser, someStatistics } from '@/testing/data';
import { aDaysPage, aProperty, noRechargeForm } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

const quiet = {
  'GET /plan/order/list': () => ({ items: [], next_cursor: null }),
  'POST /plan/order/await/put/count': () => ({ count: 0 }),
  'POST /user/notifications': () => ({ items: [], next_cursor: null }),
  'POST /user/notifications/unread_count': () => ({ unread_total: 120 }),
  'POST /auth/logout': () => ({}),
  'GET /auth/v2/lang': lostConnection,
  'GET /user/info': () => aUser,
  'GET /ad/order/data_statistics/list': () => someStatistics,
  'GET /products': () => ({ items: [], next_cursor: null }),
  'GET /user/property': () => aProperty,
  'GET /transaction_flow/by_day': () => aDaysPage,
  'GET /user/recharges': () => ({ items: [], next_cursor: null }),
  'GET /user/recharge/announcements': () => noRechargeForm,
};

afterEach(() => {
  unread.reset();
  window.PlacardAndroid = undefined;
});

describe('the top bar', () => {
  it('counts what is unread, up to 99+', async () => {
    fakeApi(quiet);
    renderApp('/plan', aUser);
    const bell = await screen.findByRole('button', { name: 'Notifications, 120 unread' });
    expect(bell.querySelector('[data-count]')).toHaveAttribute('data-count', '99+');
    await userEvent.click(bell);
    await waitFor(() => expect(address()).toBe('/notification'));
  });

  it('counts anew when the app is looked at again', async () => {
    const fake = fakeApi(quiet);
    renderApp('/plan', aUser);
    await screen.findByRole('button', { name: 'Notifications, 120 unread' });
    fake.answer('POST /user/notifications/unread_count', () => ({ unread_total: 3 }));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(await screen.findByRole('button', { name: 'Notifications, 3 unread' })).toBeVisible();
  });

  it('rings on the page of notifications without piling up history', async () => {
    fakeApi(quiet);
    renderApp('/notification', aUser);
    const bell = await screen.findByRole('button', { name: /^Notifications/ });
    const entries = window.history.length;
    await userEvent.click(bell);
    expect(window.history.length).toBe(entries);
  });

  it('lets log out only who registered here', async () => {
    fakeApi(quiet);
    renderApp('/plan', { ...aUser, entry: 'app' });
    await screen.findByRole('button', { name: 'Language' });
    expect(screen.queryByRole('button', { name: 'Log out' })).not.toBeInTheDocument();
  });

  it('logs out: cleared here first, told to the server with the old token', async () => {
    const { to } = fakeApi({ ...quiet, 'POST /auth/logout': () => new Promise(() => {}) });
    renderApp('/plan', aUser);
    await userEvent.click(await screen.findByRole('button', { name: 'Log out' }));
    const dialog = await screen.findByRole('dialog', { name: 'Log out?' });
    expect(session.get().token).toBe('token-1');
    localStorage.setItem('placard_hint_u1', 'seen');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Log out' }));
    expect(session.get().token).toBeNull();
    expect(localStorage.getItem('fb_token')).toBeNull();
    expect(localStorage.getItem('placard_hint_u1')).toBeNull();
    expect(to('/auth/logout')[0]?.headers.get('X-CT')).toBe('token-1');
    await waitFor(() => expect(address()).toBe('/login'));
  });

  it('changes the language', async () => {
    fakeApi(quiet);
    renderApp('/login');
    await userEvent.click(await screen.findByRole('button', { name: 'Language' }));
    await userEvent.click(await screen.findByRole('radio', { name: '简体中文' }));
    await userEvent.click(screen.getByRole('button', { name: 'Use this language' }));
    expect(await screen.findByRole('heading', { name: '欢迎回来' })).toBeVisible();
    expect(localStorage.getItem('lang')).toBe('zh');
  });

  it('offers the languages that the server lists, by its names', async () => {
    const listed = [
      { lang: 'th', description: 'ภาษาไทย' },
      { lang: 'en', description: 'English (provider)' },
      { lang: 'tlh', description: 'tlhIngan Hol' },
    ];
    fakeApi({
      ...quiet,
      'GET /auth/v2/lang': () => ({ languages: listed, client_language_map: [] }),
    });
    renderApp('/login');
    await userEvent.click(await screen.findByRole('button', { name: 'Language' }));
    await screen.findByRole('radio', { name: 'English (provider)' });
    // A language without texts could not be shown.
    const names = screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent);
    expect(names).toEqual(['ภาษาไทย', 'English (provider)']);
    await userEvent.click(screen.getByRole('radio', { name: 'ภาษาไทย' }));
    await userEvent.click(screen.getByRole('button', { name: 'Use this language' }));
    await waitFor(() => expect(localStorage.getItem('lang')).toBe('th'));
  });

  it.each([
    ['cannot be reached', lostConnection],
    ['refuses', () => new Refusal(500)],
    ['lists none that has texts', () => ({ languages: [], client_language_map: [] })],
  ])('offers those that are bundled where the server %s', async (_how, answer) => {
    const { to } = fakeApi({ ...quiet, 'GET /auth/v2/lang': answer });
    renderApp('/login');
    await userEvent.click(await screen.findByRole('button', { name: 'Language' }));
    expect(await screen.findAllByRole('radio')).toHaveLength(appLanguages.length);
    await waitFor(() => expect(to('/auth/v2/lang')).toHaveLength(1));
    expect(screen.getAllByRole('radio')).toHaveLength(appLanguages.length);
    expect(screen.queryByText(/Server error|No connection/)).not.toBeInTheDocument();
  });

  it("closes the app on the shell's back key when nothing came before", async () => {
    fakeApi(quiet);
    const postMessage = vi.fn();
    window.PlacardAndroid = { postMessage };
    window.history.replaceState({ idx: 0 }, '');
    renderApp('/notification', aUser);
    await screen.findByRole('button', { name: 'Back' });
    window.dispatchEvent(new Event(nativeBackEvent));
    expect(postMessage.mock.calls).toEqual([['{"type":"close"}']]);
  });
});

describe('back after a change of tabs', () => {
  const pressTab = async (name: string) =>
    userEvent.click(
      within(await screen.findByRole('navigation', { name: 'Main pages' })).getByRole('link', {
        name,
      }),
    );
  const arrow = async () => userEvent.click(await screen.findByRole('button', { name: 'Back' }));
  const shellsKey = async () => {
    window.dispatchEvent(new Event(nativeBackEvent));
  };

  async function inShell() {
    fakeApi(quiet);
    const postMessage = vi.fn();
    window.PlacardAndroid = { postMessage };
    window.history.replaceState({ idx: 0 }, '');
    window.location.replace('#/ad-center');
    window.history.replaceState({ idx: 0 }, '');
    renderApp('/ad-center', aUser);
    await screen.findByRole('navigation', { name: 'Main pages' });
    return postMessage;
  }

  it.each([
    ['Plans', '/plan', 'the arrow', arrow],
    ['Wallet', '/wallet', 'the arrow', arrow],
    ['Me', '/me', 'the arrow', arrow],
    ['Plans', '/plan', "the shell's key", shellsKey],
    ['Wallet', '/wallet', "the shell's key", shellsKey],
    ['Me', '/me', "the shell's key", shellsKey],
  ])('leads from %s (%s) to the ad center by %s', async (tab, path, _way, press) => {
    const postMessage = await inShell();
    await pressTab(tab);
    await waitFor(() => expect(address()).toBe(path));
    await screen.findByRole('button', { name: 'Back' });
    await press();
    await waitFor(() => expect(address()).toBe('/ad-center'));
    expect(postMessage).not.toHaveBeenCalled();
    await shellsKey();
    expect(postMessage.mock.calls).toEqual([['{"type":"close"}']]);
  });

  it('is one step however many tabs were looked at', async () => {
    await inShell();
    const first = window.history.length;
    for (const tab of ['Plans', 'Wallet', 'Me', 'Ad center', 'Wallet', 'Plans']) {
      await pressTab(tab);
      await screen.findByRole('link', { name: tab, current: 'page' });
    }
    expect(window.history.length - first).toBeLessThanOrEqual(1);
    window.history.back();
    await waitFor(() => expect(address()).toBe('/ad-center'));
  });
});

describe('back while something lies over the page', () => {
  it("closes it by the shell's key, and leaves the page alone", async () => {
    fakeApi(quiet);
    const postMessage = vi.fn();
    window.PlacardAndroid = { postMessage };
    window.history.replaceState({ idx: 0 }, '');
    renderApp('/plan', aUser);
    await userEvent.click(await screen.findByRole('button', { name: 'Log out' }));
    await screen.findByRole('dialog', { name: 'Log out?' });
    act(() => void window.dispatchEvent(new Event(nativeBackEvent)));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(address()).toBe('/plan');
    expect(postMessage).not.toHaveBeenCalled();
  });

  it("closes it by the phone's Back, which leads on the next time", async () => {
    fakeApi(quiet);
    renderApp('/plan', aUser);
    await userEvent.click(await screen.findByRole('button', { name: /^Notifications/ }));
    await screen.findByText('Nothing here');
    await userEvent.click(screen.getByRole('button', { name: 'Language' }));
    await screen.findByRole('dialog', { name: 'Choose your language' });
    window.history.back();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(address()).toBe('/notification'));
    expect(await screen.findByText('Nothing here')).toBeVisible();
    window.history.back();
    await waitFor(() => expect(address()).toBe('/plan'));
  });
});

describe('customer service', () => {
  it('lists the contacts; a chat opens in the app, the rest in a tab of its own', async () => {
    fakeApi(quiet);
    renderApp('/notification', aUser);
    await screen.findByRole('button', { name: 'Back' });
    openCustomerService();
    const chat = await screen.findByRole('link', { name: 'Customer service 1\u00a0- Live chat' });
    const desk = screen.getByRole('link', { name: 'Customer service 2\u00a0- Help desk' });
    expect(desk).toHaveAttribute('target', '_blank');
    expect(desk).toHaveAttribute('rel', expect.stringContaining('noopener'));
    await userEvent.click(chat);
    await waitFor(() =>
      expect(address()).toBe('/customer?url=https%3A%2F%2Fchat.example.com%2Froom'),
    );
  });

  it('takes 85 % of the width of the app’s column', async () => {
    fakeApi(quiet);
    renderApp('/login');
    await userEvent.click(await screen.findByRole('button', { name: 'Customer service' }));
    const layer = await screen.findByRole('dialog');
    expect(layer.style.width).toBe('85%');
    expect(layer.className).toMatch(/wide/);
    const css = readFileSync(join(import.meta.dirname, '../../ui/layers/Layer.module.css'), 'utf8');
    expect(css).toMatch(/\.wide \{\s*max-width: calc\(0\.85 \* var\(--column\)\);/);
  });

  it('opens a chat in a tab of its own for who is not signed in: /customer needs a login', async () => {
    fakeApi(quiet);
    renderApp('/login');
    await userEvent.click(await screen.findByRole('button', { name: 'Customer service' }));
    const chat = await screen.findByRole('link', { name: 'Customer service 1\u00a0- Live chat' });
    expect(chat).toHaveAttribute('target', '_blank');
    const left = vi.fn((event: Event) => event.preventDefault());
    // A layer does not pass its clicks on to the page below.
    chat.addEventListener('click', left);
    await userEvent.click(chat);
    expect(left).toHaveBeenCalledOnce();
    expect(address()).toBe('/login');
  });

  it('has its own list for recharges', async () => {
    fakeApi(quiet);
    renderApp('/notification', aUser);
    await screen.findByRole('button', { name: 'Back' });
    openCustomerService({ recharge: true });
    expect(await screen.findByText('Customer service 1 - Recharges')).toBeVisible();
    expect(screen.queryByText(/Live chat/)).not.toBeInTheDocument();
  });

  it('prefers the contacts of the user', async () => {
    fakeApi(quiet);
    const own = [{ id: 'o', type: 2, url: 'https://own.example.com', label: 'Your manager' }];
    renderApp('/notification', { ...aUser, customer_service_url: own });
    await screen.findByRole('button', { name: 'Back' });
    openCustomerService();
    expect(await screen.findByText('Customer service 1 - Your manager')).toBeVisible();
  });

  it('leads to our own conversation where there is no contact', async () => {
    fakeApi(quiet);
    const nobody = { ...aConfig, customer_service_url: [], recharge_customer_service_url: [] };
    renderApp('/notification', aUser, nobody);
    await screen.findByRole('button', { name: 'Back' });
    openCustomerService({ recharge: true });
    const recharges = await screen.findByRole('link', { name: 'Your recharges' });
    expect(recharges).toHaveAttribute('href', '#/wallet/recharge');
    const own = screen.getByRole('link', { name: 'Write to customer service' });
    expect(own).toHaveAttribute('href', '#/customer');
  });

  it('says when there is nobody', async () => {
    fakeApi(quiet);
    renderApp('/login', undefined, { ...aConfig, customer_service_url: [] });
    await userEvent.click(await screen.findByRole('button', { name: 'Customer service' }));
    expect(await screen.findByText('No contacts yet')).toBeVisible();
    // They came for a code, which others give.
    expect(screen.getByText(/ask the provider who told you about this app/)).toBeVisible();
    const closers = screen.getAllByRole('button', { name: 'Close' });
    await userEvent.click(closers.at(-1) as HTMLElement);
    expect(screen.queryByText('No contacts yet')).not.toBeInTheDocument();
  });
});

describe('the end of a session', () => {
  it.each([
    ['register', '/login'],
    ['app', '/ad-welcome'],
  ] as const)('leads who came by %s to %s', async (entry, expected) => {
    fakeApi({ ...quiet, 'GET /level': () => new Refusal(503, 'expired', { lang: 'en' }) });
    renderApp('/notification', { ...aUser, entry });
    await screen.findByText('Nothing here');
    await call('GET', '/level').catch(() => {});
    await waitFor(() => expect(address()).toBe(expected));
    expect(session.get().token).toBeNull();
    expect(await screen.findByText('Login expired, please log in again')).toBeVisible();
  });
});

describe('a session without its user', () => {
  it('asks the server who it is', async () => {
    fakeApi({ ...quiet, 'GET /user/info': () => aUser });
    renderApp('/notification', aUser);
    await screen.findByText('Nothing here');
    act(() => session.keepUser(null as never));
    await waitFor(() => expect(session.get().user).toEqual(aUser));
    // Not the one from before, which is on its way out of the document.
    await waitFor(() => expect(screen.getByText('Nothing here')).toBeVisible());
  });

  it('says that there is no user data, and tries again', async () => {
    const fake = fakeApi({ ...quiet, 'GET /user/info': lostConnection });
    renderApp('/notification', aUser);
    await screen.findByText('Nothing here');
    act(() => session.keepUser(null as never));
    expect(await screen.findByText('No user data')).toBeVisible();
    fake.answer('GET /user/info', () => aUser);
    await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(await screen.findByText('Nothing here')).toBeVisible();
  });
});

describe('simulated data', () => {
  it('says so', async () => {
    renderApp('/login', undefined, { ...aConfig, data_source: 'simulated' });
    expect(await screen.findByText('Simulated data – no real money')).toBeVisible();
  });

  it('is not claimed of live data', async () => {
    renderApp('/login');
    await screen.findByRole('heading', { name: 'Welcome back' });
    expect(screen.queryByText(/Simulated data/)).not.toBeInTheDocument();
  });
});

/** A phone's Back, and the browser's answer to it. */
async function phoneBack() {
  await act(async () => {
    window.history.back();
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
}

const position = () => window.history.state?.idx ?? 0;

describe('back on the first page', () => {
  it('closes what lies over it, and leaves nothing behind in the history', async () => {
    fakeApi(quiet);
    renderApp('/ad-center', aUser);
    await userEvent.click(await screen.findByRole('button', { name: 'Language' }));
    await screen.findByRole('dialog');
    await waitFor(() => expect(position()).toBe(1));
    await phoneBack();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(position()).toBe(0));
    expect(address()).toBe('/ad-center');
  });

  it('is not held by what was closed another way', async () => {
    fakeApi(quiet);
    renderApp('/ad-center', aUser);
    act(() => openCustomerService());
    await screen.findByRole('dialog', { name: 'Customer service' });
    await waitFor(() => expect(position()).toBe(1));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(position()).toBe(0));
  });

  it.each([
    ['an address', () => window.location.assign('#/me/sessions')],
    ['a link', () => screen.getByRole('link', { name: 'Me' }).click()],
  ])('stays on the page that %s opens in that moment', async (_, go) => {
    fakeApi({ ...quiet, 'GET /user/sessions': () => [] });
    renderApp('/ad-center', aUser);
    act(() => openCustomerService());
    await screen.findByRole('dialog', { name: 'Customer service' });
    await waitFor(() => expect(position()).toBe(1));
    const back = window.history.back.bind(window.history);
    // As in a browser, where a step back is taken later, from the page that was opened meanwhile.
    const spied = vi.spyOn(window.history, 'back').mockImplementationOnce(() => {
      go();
      back();
    });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(spied).toHaveBeenCalled());
    await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(address()).toMatch(/^\/me/);
    expect(window.location.hash).toMatch(/^#\/me/);
    spied.mockRestore();
  });

  it.each(['/plan', '/wallet', '/me'])('%s has the ad center below it', async (path) => {
    fakeApi(quiet);
    renderApp(path, aUser);
    await screen.findByRole('button', { name: 'Language' });
    await waitFor(() => expect(position()).toBe(1));
    expect(address()).toBe(path);
    await phoneBack();
    await waitFor(() => expect(address()).toBe('/ad-center'));
    expect(position()).toBe(0);
  });

  it('closes the app from the ad center alone', async () => {
    const close = vi.fn();
    window.PlacardAndroid = { postMessage: close };
    fakeApi(quiet);
    renderApp('/wallet', aUser);
    await screen.findByRole('button', { name: 'Language' });
    await waitFor(() => expect(position()).toBe(1));
    act(() => void window.dispatchEvent(new Event(nativeBackEvent)));
    await waitFor(() => expect(address()).toBe('/ad-center'));
    expect(close).not.toHaveBeenCalled();
    await screen.findByRole('heading', { name: 'Ad center' });
    act(() => void window.dispatchEvent(new Event(nativeBackEvent)));
    expect(close).toHaveBeenCalledWith('{"type":"close"}');
  });
});
