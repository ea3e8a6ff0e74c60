import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { adCenterAnswers, barAnswers } from '@/testing/answers';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';

const closed = { ...aUser, store_opened: false };

async function openWith(code: string) {
  await userEvent.type(await screen.findByLabelText('Authorization code'), code);
  await userEvent.click(screen.getByRole('button', { name: 'Open ad account' }));
}

describe('the welcome page', () => {
  it('opens the account by its authorization code', async () => {
    const api = fakeApi({ ...adCenterAnswers, 'POST /opening_store': () => aUser });
    renderApp('/ad-welcome', closed);
    await openWith(' CODE-1 ');
    await waitFor(() => expect(address()).toBe('/ad-center'));
    expect(api.to('/opening_store')[0]?.body).toEqual({ authorization_code: 'CODE-1' });
    expect(session.get().user?.store_opened).toBe(true);
  });

  it('says at the field that a code is unknown, until it is typed anew', async () => {
    fakeApi({
      ...barAnswers,
      'POST /opening_store': () =>
        new Refusal(405, 'Code not found', { error: 'authorization_code_not_found' }),
    });
    renderApp('/ad-welcome', closed);
    await openWith('CODE-1');
    const field = screen.getByLabelText('Authorization code');
    await waitFor(() => expect(field).toHaveAccessibleDescription('Code not found'));
    expect(field).toHaveValue('CODE-1');
    await userEvent.type(field, '2');
    expect(field).toBeValid();
  });

  it('keeps the code through a lost connection', async () => {
    fakeApi({ ...barAnswers, 'POST /opening_store': lostConnection });
    renderApp('/ad-welcome', closed);
    await openWith('CODE-1');
    expect(await screen.findByText(/Nothing you typed is lost/)).toBeVisible();
    expect(screen.getByLabelText('Authorization code')).toHaveValue('CODE-1');
  });

  it('offers the login to who is not signed in', async () => {
    renderApp('/ad-welcome');
    await userEvent.click(await screen.findByRole('button', { name: 'Log in' }));
    await waitFor(() => expect(address()).toBe('/login'));
  });

  it('offers no password to whom a shell signs in, but a new try and help', async () => {
    const postMessage = vi.fn();
    window.PlacardAndroid = { postMessage };
    renderApp('/ad-welcome');
    await userEvent.click(await screen.findByRole('button', { name: 'Log in again' }));
    expect(postMessage.mock.calls).toEqual([['{"type":"session_ended"}']]);
    expect(
      screen.queryByRole('button', { name: /^Log in$|Create account/ }),
    ).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Ask customer service' })).toBeVisible();
    window.PlacardAndroid = undefined;
  });

  it('offers none to who came by a ticket whose session has ended', async () => {
    fakeApi({
      'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
      'POST /user/notifications': () => new Refusal(503),
    });
    renderApp('/notification', { ...aUser, entry: 'app' });
    expect(await screen.findByText(/You came here from another app/)).toBeVisible();
    expect(address()).toBe('/ad-welcome');
    expect(
      screen.queryByRole('button', { name: /^Log in$|Create account/ }),
    ).not.toBeInTheDocument();
  });

  it('leads on who has an open account', async () => {
    fakeApi(barAnswers);
    renderApp('/ad-welcome', aUser);
    expect(await screen.findByText(/Everything is ready/)).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Your ad account is open' })).toBeVisible();
    expect(screen.queryByText('Open your ad account')).not.toBeInTheDocument();
    expect(document.title).toBe('Your ads, every cent accounted for – Placard');
    expect(screen.queryByLabelText('Authorization code')).not.toBeInTheDocument();
  });
});
