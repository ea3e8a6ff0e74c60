import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { unread } from '@/shared/account/unread';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';

const quiet = {
  'GET /plan/order/list': () => ({ items: [], next_cursor: null }),
  'POST /plan/order/await/put/count': () => ({ count: 0 }),
  'POST /user/notifications': () => ({ items: [], next_cursor: null }),
  'POST /user/notifications/unread_count': () => ({ unread_total: 120 }),
  'GET /user/info': () => aUser,
};

afterEach(() => unread.reset());

describe('a session of staff', () => {
  const until = '2026-11-21T10:00:00Z';
  const staff = { read_only: true, operator: 'anna', reason: 'cannot find a plan', until };
  const looking = { ...aUser, entry: 'app' as const, session: staff };

  it('says so at the top of each page', async () => {
    fakeApi({ ...quiet, 'GET /user/info': () => looking });
    renderApp('/plan', looking);
    const bar = await screen.findByRole('banner');
    expect(bar).toHaveTextContent(
      'Customer service (anna) is viewing your account. Nothing can be changed.',
    );
    await userEvent.click(await screen.findByRole('button', { name: /^Notifications/ }));
    await waitFor(() => expect(address()).toBe('/notification'));
    expect(screen.getByRole('banner')).toHaveTextContent('Customer service (anna) is viewing');
  });

  it('is none for the user', async () => {
    fakeApi(quiet);
    renderApp('/plan', aUser);
    await screen.findByRole('banner');
    expect(screen.queryByText(/is viewing your account/)).toBeNull();
  });

  it('marks no notification as read', async () => {
    const unreadNotice = {
      id: 'n1',
      category: 'activity',
      title: 'Put',
      body: 'A plan runs',
      read: false,
      created_at: '2026-11-20T08:00:00Z',
      kind: null,
      plan_id: null,
    };
    const fake = fakeApi({
      ...quiet,
      'GET /user/info': () => looking,
      'POST /user/notifications': () => ({ items: [unreadNotice], next_cursor: null }),
    });
    renderApp('/notification', looking);
    await userEvent.click(await screen.findByText('Put'));
    expect(fake.to('/user/notifications/read')).toEqual([]);
  });
});
