import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { unread } from '@/shared/account/unread';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aConfig, aNotification, aUser } from '@/testing/data';
import { aProperty } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

const list = 'POST /user/notifications';
const second = { ...aNotification, id: 'n2', title: 'Maintenance', category: 'system_maintenance' };

function api(changed = {}) {
  return fakeApi({
    'POST /user/notifications/unread_count': () => ({ unread_total: 2 }),
    [list]: () => ({ items: [aNotification, second], next_cursor: null }),
    'POST /user/notifications/read': () => ({ unread_total: 1 }),
    ...changed,
  });
}

/** What the page that the notice leads to asks for. */
const withdrawPage = {
  'GET /user/property': () => aProperty,
  'GET /bank_card/detail': () => null,
  'GET /withdrawals': () => ({ items: [], next_cursor: null }),
  'GET /withdrawals/pace': () => ({ measured: 0, half_within: null, all_within: null }),
  'GET /basic_config': () => aConfig,
};

afterEach(() => unread.reset());

describe('notifications', () => {
  it('are asked for by category and state', async () => {
    const { to } = api();
    renderApp('/notification', aUser);
    await screen.findByText('Settlement shows its date');
    await userEvent.click(screen.getByRole('tab', { name: 'System maintenance' }));
    await userEvent.click(screen.getByRole('radio', { name: 'Unread' }));
    await waitFor(() =>
      expect(to('/user/notifications').map(({ body }) => body)).toEqual([
        { category: 'all', state: 'all' },
        { category: 'system_maintenance', state: 'all' },
        { category: 'system_maintenance', state: 'unread' },
      ]),
    );
  });

  it('are read by opening them', async () => {
    const { to } = api();
    renderApp('/notification', aUser);
    const row = await screen.findByRole('button', { name: /Settlement shows its date/ });
    await waitFor(() => expect(unread.get()).toBe(2));
    expect(within(row).getByText('New')).toBeInTheDocument();
    await userEvent.click(row);
    await waitFor(() => expect(within(row).queryByText('New')).not.toBeInTheDocument());
    expect(to('/user/notifications/read')[0]?.body).toEqual({ id: 'n1' });
    expect(unread.get()).toBe(1);
  });

  it('lead on from what they tell to where it happened', async () => {
    const answered = { ...aNotification, kind: 'service_answered' };
    api({ [list]: () => ({ items: [answered, second], next_cursor: null }) });
    renderApp('/notification', aUser);
    expect(screen.queryByRole('link', { name: 'Open the conversation' })).not.toBeInTheDocument();
    await userEvent.click(await screen.findByRole('button', { name: /Settlement shows its date/ }));
    const lead = screen.getByRole('link', { name: 'Open the conversation' });
    expect(lead).toHaveAttribute('href', '#/customer');
    await userEvent.click(screen.getByRole('button', { name: /^Maintenance/ }));
    expect(screen.getAllByRole('link', { name: /Open|See/ })).toHaveLength(1);
  });

  it('are all read at once, in the category that is shown', async () => {
    const { to } = api({ 'POST /user/notifications/read': () => ({ unread_total: 0 }) });
    renderApp('/notification', aUser);
    await screen.findByText('Settlement shows its date');
    await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
    await waitFor(() => expect(screen.queryByText('New')).not.toBeInTheDocument());
    expect(to('/user/notifications/read')[0]?.body).toEqual({ all: true, category: 'all' });
    expect(unread.get()).toBe(0);
  });

  it('show at once that they were read, and the bell falls by as many', async () => {
    let answer = (_: object) => {};
    api({
      'POST /user/notifications/read': () => new Promise((resolve) => (answer = resolve)),
    });
    renderApp('/notification', aUser);
    const row = await screen.findByRole('button', { name: /Settlement shows its date/ });
    await waitFor(() => expect(unread.get()).toBe(2));
    await userEvent.click(row);
    expect(unread.get()).toBe(1);
    // A list is drawn in pieces: docs/FRONTEND.md.
    await waitFor(() => expect(within(row).queryByText('New')).not.toBeInTheDocument());
    // Another message has arrived meanwhile: the server's count replaces ours.
    answer({ unread_total: 4 });
    await waitFor(() => expect(unread.get()).toBe(4));
  });

  it('fall by as many as were read at once, before the server has answered', async () => {
    api({
      'POST /user/notifications/unread_count': () => ({ unread_total: 5 }),
      'POST /user/notifications/read': () => new Promise(() => {}),
    });
    renderApp('/notification', aUser);
    await screen.findByText('Settlement shows its date');
    await waitFor(() => expect(unread.get()).toBe(5));
    await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
    expect(unread.get()).toBe(3);
  });

  it('offer to mark all as read only where some are unread', async () => {
    api({
      'POST /user/notifications/unread_count': () => ({ unread_total: 1 }),
      [list]: ({ body }: { body: { category: string } }) => ({
        items: [{ ...aNotification, read: body.category !== 'all' }],
        next_cursor: null,
      }),
    });
    renderApp('/notification', aUser);
    expect(await screen.findByRole('button', { name: 'Mark all as read' })).toBeVisible();
    await userEvent.click(screen.getByRole('tab', { name: 'Activity' }));
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Mark all as read' })).not.toBeInTheDocument(),
    );
    // Those that are read are hidden by this filter, and others are not.
    await userEvent.click(screen.getByRole('radio', { name: 'Read' }));
    expect(await screen.findByRole('button', { name: 'Mark all as read' })).toBeVisible();
  });

  it('say when marking failed, and stay unread', async () => {
    api({ 'POST /user/notifications/read': () => new Refusal(500) });
    renderApp('/notification', aUser);
    await userEvent.click(await screen.findByRole('button', { name: /Settlement/ }));
    expect(await screen.findByText('Failed to mark message as read')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
    expect(await screen.findByText('Failed to mark all as read')).toBeVisible();
    await waitFor(() => expect(screen.getAllByText('New')).toHaveLength(2));
    expect(unread.get()).toBe(2);
  });

  it('are loaded again by a click after a failure', async () => {
    const fake = api({ [list]: lostConnection });
    renderApp('/notification', aUser);
    const again = await screen.findByText('Request failed, click to reload');
    fake.answer(list, () => ({ items: [aNotification], next_cursor: null }));
    await userEvent.click(again);
    expect(await screen.findByText('Settlement shows its date')).toBeVisible();
  });

  it('have the four tabs and the three filters of the specification', async () => {
    api();
    renderApp('/notification', aUser);
    const tabs = await screen.findAllByRole('tab');
    expect(tabs.map((tab) => tab.textContent)).toEqual([
      'All',
      'System announcement',
      'System maintenance',
      'Activity',
    ]);
    const filters = screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent);
    expect(filters).toEqual(['All', 'Unread', 'Read']);
  });

  it('are read on by a button that can be pressed again', async () => {
    const fake = api({ [list]: () => ({ items: [aNotification], next_cursor: 'c2' }) });
    renderApp('/notification', aUser);
    const more = await screen.findByRole('button', { name: 'Load more' });
    fake.answer(list, lostConnection);
    await userEvent.click(more);
    expect(await screen.findByText('The rest could not be loaded.')).toBeVisible();
    fake.answer(list, () => ({ items: [second], next_cursor: null }));
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await screen.findByRole('button', { name: /^Maintenance/ })).toBeVisible();
    expect(fake.to('/user/notifications').at(-1)?.body).toMatchObject({ cursor: 'c2' });
    expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
  });

  it('of one’s own have their sign, and a way to what they tell of', async () => {
    const own = { ...aNotification, category: 'activity', read: false };
    const { to } = api({
      [list]: () => ({
        items: [
          { ...own, id: '1', title: 'Paid out', kind: 'withdrawal_paid' },
          { ...own, id: '2', title: 'Settled', kind: 'plan_settled', plan_id: '42' },
          { ...own, id: '3', title: 'Something new', kind: 'of_a_later_version' },
        ],
        next_cursor: null,
      }),
      ...withdrawPage,
    });
    renderApp('/notification', aUser);
    for (const title of [/^Paid out/, /^Settled/, /^Something new/]) {
      await userEvent.click(await screen.findByRole('button', { name: title }));
    }
    expect(screen.getByRole('link', { name: 'Open the plan' })).toHaveAttribute(
      'href',
      '#/plan/detail?id=42',
    );
    expect(screen.getAllByRole('link', { name: /^(See|Open)/ })).toHaveLength(2);
    await userEvent.click(screen.getByRole('link', { name: 'See your withdrawals' }));
    await waitFor(() => expect(address()).toBe('/wallet/withdraw'));
    expect(to('/user/notifications/read')[0]?.body).toEqual({ id: '1' });
  });

  it('lead to what is asked for again, as it may have changed since it was shown', async () => {
    const paid = { ...aNotification, title: 'Paid out', kind: 'withdrawal_paid' };
    const { to } = api({
      [list]: () => ({ items: [paid], next_cursor: null }),
      ...withdrawPage,
    });
    renderApp('/wallet/withdraw', aUser);
    await waitFor(() => expect(to('/withdrawals')).toHaveLength(1));
    await userEvent.click(await screen.findByRole('button', { name: /^Notifications/ }));
    await userEvent.click(await screen.findByRole('button', { name: /^Paid out/ }));
    await userEvent.click(screen.getByRole('link', { name: 'See your withdrawals' }));
    await waitFor(() => expect(to('/withdrawals')).toHaveLength(2));
  });

  it('say when there are none', async () => {
    api({ [list]: () => ({ items: [], next_cursor: null }) });
    renderApp('/notification', aUser);
    expect(await screen.findByText('Nothing here')).toBeVisible();
  });
});

describe('a notification that a device was told of', () => {
  it('is open and read where the device leads', async () => {
    const answered = { ...aNotification, kind: 'service_answered' };
    const { to } = api({ [list]: () => ({ items: [second, answered], next_cursor: null }) });
    renderApp(`/notification?id=${answered.id}`, aUser);
    expect(await screen.findByRole('link', { name: 'Open the conversation' })).toBeVisible();
    const row = screen.getByRole('button', { name: /Settlement shows its date/ });
    expect(row).toHaveAttribute('aria-expanded', 'true');
    await waitFor(() => expect(within(row).queryByText('New')).not.toBeInTheDocument());
    expect(to('/user/notifications/read').map(({ body }) => body)).toEqual([{ id: answered.id }]);
    expect(screen.getByRole('button', { name: /^Maintenance/ })).toHaveAttribute(
      'aria-expanded',
      'false',
    );
  });

  it('is asked for and open on the page that is open already, whatever is chosen there', async () => {
    const fake = api();
    renderApp('/notification', aUser);
    await userEvent.click(await screen.findByRole('tab', { name: 'System maintenance' }));
    await userEvent.click(screen.getByRole('radio', { name: 'Read' }));
    const answered = { ...aNotification, id: 'n3', kind: 'service_answered', title: 'Answered' };
    fake.answer(list, () => ({ items: [answered, second], next_cursor: null }));
    act(() => {
      window.location.hash = '#/notification?id=n3';
    });
    expect(await screen.findByRole('link', { name: 'Open the conversation' })).toBeVisible();
    expect(screen.getByRole('tab', { name: 'All' })).toHaveAttribute('aria-selected', 'true');
    await waitFor(() =>
      expect(fake.to('/user/notifications/read').map(({ body }) => body)).toEqual([{ id: 'n3' }]),
    );
  });

  it('is asked for once if it is not there', async () => {
    const { to } = api();
    renderApp('/notification', aUser);
    await screen.findByText('Settlement shows its date');
    const before = to('/user/notifications').length;
    act(() => {
      window.location.hash = '#/notification?id=n9';
    });
    await waitFor(() => expect(to('/user/notifications')).toHaveLength(before + 1));
    await act(() => new Promise((late) => setTimeout(late, 100)));
    expect(to('/user/notifications')).toHaveLength(before + 1);
  });
});
