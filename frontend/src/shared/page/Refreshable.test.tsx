import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { unread } from '@/shared/account/unread';
import { fakeApi, lostConnection } from '@/testing/api';
import { aNotification, aUser } from '@/testing/data';
import { renderApp } from '@/testing/render-app';

const list = 'POST /user/notifications';

function open() {
  const api = fakeApi({
    [list]: () => ({ items: [aNotification], next_cursor: null }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 1 }),
  });
  renderApp('/notification', aUser);
  return api;
}

describe('a page that can be refreshed', () => {
  it('reads anew what it shows, and the bell', async () => {
    const api = open();
    await screen.findByText(aNotification.title);
    api.answer(list, () => ({
      items: [{ ...aNotification, id: 'n9', title: 'Just in' }, aNotification],
      next_cursor: null,
    }));
    api.answer('POST /user/notifications/unread_count', () => ({ unread_total: 2 }));
    await userEvent.click(await screen.findByRole('button', { name: /^As of .*Refresh$/ }));
    expect(await screen.findByText('Just in')).toBeVisible();
    await waitFor(() => expect(unread.get()).toBe(2));
    unread.reset();
  });

  it('keeps what it has when that fails, and says so', async () => {
    const api = open();
    await screen.findByText(aNotification.title);
    api.answer(list, lostConnection);
    await userEvent.click(await screen.findByRole('button', { name: /^As of .*Refresh$/ }));
    expect(await screen.findByText(/^Some figures could not be refreshed/)).toBeVisible();
    expect(screen.getByText(aNotification.title)).toBeVisible();
  });
});
