import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Vers';
const at = { created_at: '2026-11-20T08:00:00Z', last_seen: '2026-11-21T09:00:00Z' };
const mine = { id: 's1', device: chrome, current: true, ...at };
const phone = { id: 's2', device: safari, current: false, ...at };
const other = { id: 's3', device: 'curl/8', current: false, ...at };

function open(sessions = [phone, mine, other]) {
  let now = sessions;
  const api = fakeApi({
    'GET /user/sessions': () => now,
    'POST /user/sessions/end': ({ body }) => {
      now = now.filter((one) => one.id !== (body as { id: string }).id);
      return {};
    },
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/me/sessions', aUser);
  return api;
}

const rows = async () =>
  within(await screen.findByRole('list', { name: 'Logged-in devices' })).getAllByRole('listitem');

describe('SessionsPage', () => {
  it('lists this device first, and cannot end it here', async () => {
    open();
    const [first, second, third] = await rows();
    expect(first).toHaveTextContent('Chrome on Linux');
    expect(first).toHaveTextContent('This device');
    expect(within(first as HTMLElement).queryByRole('button')).toBeNull();
    expect(second).toHaveTextContent('iPhone');
    expect(third).toHaveTextContent('Unknown device');
  });

  it('says which one is of customer service, and why', async () => {
    const staff = { id: 's4', operator: 'anna', reason: 'cannot find a plan' };
    open([{ ...phone, ...staff }, mine]);
    const [, row] = await rows();
    expect(row).toHaveTextContent('Customer service: anna');
    expect(row).toHaveTextContent('Reason: cannot find a plan');
    expect(row).not.toHaveTextContent('iPhone');
    expect(within(row as HTMLElement).getByRole('button', { name: /anna/ })).toBeEnabled();
  });

  it('ends one', async () => {
    const api = open();
    await userEvent.click(
      await screen.findByRole('button', { name: 'End session: Unknown device' }),
    );
    expect(await screen.findByText('1 session ended')).toBeVisible();
    await waitFor(async () => expect(await rows()).toHaveLength(2));
    expect(api.to('/user/sessions/end').map(({ body }) => body)).toEqual([{ id: 's3' }]);
  });

  it('ends all others after asking', async () => {
    const api = open();
    await userEvent.click(await screen.findByRole('button', { name: 'End all other sessions' }));
    const dialog = within(screen.getByRole('dialog', { name: 'End all other sessions?' }));
    expect(api.to('/user/sessions/end')).toEqual([]);
    await userEvent.click(dialog.getByRole('button', { name: 'End all other sessions' }));
    expect(await screen.findByText('2 sessions ended')).toBeVisible();
    expect(await screen.findByText('No other device')).toBeVisible();
    expect(api.to('/user/sessions/end').map(({ body }) => body)).toEqual([
      { id: 's2' },
      { id: 's3' },
    ]);
  });

  it.each([
    ['one device', [mine]],
    ['several', [phone, mine, other]],
  ])('ends all, this one too, for who has %s', async (_how, sessions) => {
    const api = open(sessions);
    api.answer('POST /user/sessions/end', () => ({}));
    await userEvent.click(await screen.findByRole('button', { name: 'End all sessions' }));
    const dialog = within(screen.getByRole('dialog', { name: 'End all sessions?' }));
    expect(dialog.getByText(/including this one/)).toBeVisible();
    expect(api.to('/user/sessions/end')).toEqual([]);
    await userEvent.click(dialog.getByRole('button', { name: 'End all sessions' }));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(await screen.findByText(/^All sessions have ended/)).toBeVisible();
    expect(session.get().token).toBeNull();
    expect(api.to('/user/sessions/end').map(({ body }) => body)).toEqual([{ all: true }]);
  });

  it('stays logged in if they could not all be ended', async () => {
    const api = open([mine]);
    api.answer('POST /user/sessions/end', lostConnection);
    await userEvent.click(await screen.findByRole('button', { name: 'End all sessions' }));
    const dialog = within(screen.getByRole('dialog', { name: 'End all sessions?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'End all sessions' }));
    expect(await screen.findByText(/No connection/)).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(session.get().token).not.toBeNull();
  });

  it('takes one that has ended meanwhile for ended', async () => {
    const api = open([mine, phone]);
    const end = await screen.findByRole('button', { name: 'End session: iPhone' });
    api.answer(
      'POST /user/sessions/end',
      () => new Refusal(405, 'Not found', { error: 'not_found' }),
    );
    api.answer('GET /user/sessions', () => [mine]);
    await userEvent.click(end);
    expect(await screen.findByText('No other device')).toBeVisible();
    expect(screen.queryByText('Not found')).toBeNull();
  });

  it('says when one could not be ended', async () => {
    const api = open([mine, phone]);
    api.answer('POST /user/sessions/end', lostConnection);
    await userEvent.click(await screen.findByRole('button', { name: 'End session: iPhone' }));
    expect(await screen.findByText(/No connection/)).toBeVisible();
    expect(await rows()).toHaveLength(2);
  });

  it('can be read again after a failure', async () => {
    const api = fakeApi({
      'GET /user/sessions': () => new Refusal(500, 'Server error'),
      'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    });
    renderApp('/me/sessions', aUser);
    const again = await screen.findByRole('button', { name: 'Reload' });
    api.answer('GET /user/sessions', () => [mine]);
    await userEvent.click(again);
    expect(await screen.findByText('No other device')).toBeVisible();
  });
});
