import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { AD_DATA_REFRESH_MS } from '@/shared/config/constants';
import { fakeApi, Refusal } from '@/testing/api';
import { aProduct, aUser, someStatistics } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';

function api(refused: () => Refusal) {
  return fakeApi({
    'GET /user/info': refused,
    'GET /ad/order/data_statistics/list': refused,
    'GET /products': refused,
    'GET /user/property': refused,
    'GET /plan/order/list': refused,
    'POST /user/notifications/unread_count': refused,
    'POST /user/notifications': refused,
  });
}

const dialog = () => screen.queryByRole('dialog', { name: 'Customer service' });
const closeDialog = async () => {
  const box = await screen.findByRole('dialog', { name: 'Customer service' });
  await userEvent.click(within(box).getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
};

describe.each([
  [402, 'Account not activated, contact customer service'],
  [403, 'Account disabled, contact customer service'],
  [404, 'Account cancelled, contact customer service'],
])('an account that is refused with %i', (code, text) => {
  it('is told so once, and asks the server no more', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { sent } = api(() => new Refusal(code, '', { lang: 'en' }));
    renderApp('/ad-center', aUser);
    expect(await screen.findByRole('dialog')).toHaveTextContent(text);
    await closeDialog();
    const asked = sent.length;
    await act(() => vi.advanceTimersByTimeAsync(4 * AD_DATA_REFRESH_MS));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(sent).toHaveLength(asked);
    expect(dialog()).not.toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent(text);
    // In the specification, only an expired token ends the session.
    expect(session.get().token).toBe('token-1');
    expect(address()).toBe('/ad-center');
  });

  it('stays told on other pages, with the way to customer service', async () => {
    const { sent } = api(() => new Refusal(code, '', { lang: 'en' }));
    renderApp('/notification', aUser);
    await closeDialog();
    const asked = sent.length;
    // The entry that the dialog had in the history.
    await waitFor(() => expect(window.history.state?.held).toBeUndefined());
    act(() => {
      window.location.hash = '#/ad-center';
    });
    expect(await screen.findByRole('button', { name: 'Log out' })).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent(text);
    expect(dialog()).not.toBeInTheDocument();
    expect(sent).toHaveLength(asked);
    await userEvent.click(screen.getByRole('button', { name: 'Ask customer service' }));
    await userEvent.click(
      await screen.findByRole('link', { name: 'Customer service 1\u00a0- Live chat' }),
    );
    await waitFor(() => expect(address()).toMatch(/^\/customer/));
    expect(await screen.findByTitle('Conversation with customer service')).toBeInTheDocument();
  });

  it('goes on once customer service has acted', async () => {
    const fake = api(() => new Refusal(code, '', { lang: 'en' }));
    renderApp('/notification', aUser);
    await closeDialog();
    await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(
      await screen.findByText(text, { selector: '[role=status] *, [role=status]' }),
    ).toBeVisible();
    fake.answer('GET /user/info', () => aUser);
    fake.answer('GET /ad/order/data_statistics/list', () => someStatistics);
    fake.answer('GET /products', () => ({ items: [aProduct], next_cursor: null }));
    fake.answer('POST /user/notifications', () => ({ items: [], next_cursor: null }));
    await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(await screen.findByText('Nothing here')).toBeVisible();
  });
});

it('tells the next user anew', async () => {
  api(() => new Refusal(403, '', { lang: 'en' }));
  renderApp('/notification', aUser);
  await closeDialog();
  act(() => session.signIn({ token: 'token-2', user: { ...aUser, id: 'u2' } }));
  expect(await screen.findByRole('dialog')).toHaveTextContent('Account disabled');
});
