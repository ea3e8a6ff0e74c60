import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import type { Property } from '@/api/types';
import { setUser } from '@/api/user';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { fillIn } from '@/testing/fill-in';
import { aProperty } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

const settled: Property = {
  ...aProperty,
  total_assets: '0.00',
  available: '0.00',
  to_be_consumed: '0.00',
  unbilled: '0.00',
  to_be_settled: '0.00',
  withdrawing: '0.00',
  exchanging: '0.00',
  deposit: '0.00',
  startup_outstanding: '0.00',
};

function open(property: Partial<Property> = {}) {
  const api = fakeApi({
    'GET /user/property': () => ({ ...settled, ...property }),
    'POST /user/close': () => ({}),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/me/close', aUser);
  return api;
}

async function close(password = 'correct horse') {
  const input = await screen.findByLabelText('Login password');
  if (password) await fillIn(input, password);
  await userEvent.click(screen.getByRole('button', { name: 'Close account' }));
}

async function confirm() {
  const dialog = within(await screen.findByRole('dialog', { name: /for good\?/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Close for good' }));
}

describe('ClosePage', () => {
  it('says what it means, asks twice, and signs out', async () => {
    const api = open({ promotional: '25.00' });
    expect(await screen.findByText(/Closing is final/)).toBeVisible();
    sessionStorage.setItem(`placard_draft_feedback_${aUser.id}`, '{"topic":"Mine"}');
    await close();
    expect(api.to('/user/close')).toEqual([]);
    await confirm();
    await waitFor(() => expect(address()).toBe('/login'));
    expect(await screen.findByText('Your account is closed.')).toBeVisible();
    expect(api.to('/user/close')[0]?.body).toEqual({ password: 'correct horse' });
    expect(session.get().token).toBeNull();
    // Nothing of a closed account stays on the device.
    expect(Object.keys(sessionStorage).filter((key) => key.includes('draft'))).toEqual([]);
  });

  it('says what is left instead, each with its way out', async () => {
    open({ available: '12.30', to_be_settled: '4.00', startup_outstanding: '100.00' });
    const row = async (name: RegExp) => screen.findByRole('link', { name });
    expect(await row(/\$12\.30/)).toHaveAttribute('href', '#/wallet/withdraw');
    expect(await row(/\$4\.00/)).toHaveAttribute('href', '#/plan');
    expect(await row(/Start-up funds to return \$100\.00/)).toHaveAttribute('href', '#/wallet');
    expect(screen.queryByLabelText('Login password')).toBeNull();
  });

  it('reads again what is left when the server knows of more', async () => {
    const api = open();
    const error = 'funds_remaining';
    api.answer('POST /user/close', () => new Refusal(405, 'Something is owed', { error }));
    await close();
    api.answer('GET /user/property', () => ({ ...settled, to_be_consumed: '7.00' }));
    await confirm();
    expect(await screen.findByRole('link', { name: /\$7\.00/ })).toBeVisible();
    expect(session.get().token).not.toBeNull();
  });

  it('says what a chargeback left to be paid, and keeps the account', async () => {
    const api = open();
    const data = { error: 'chargeback_due', outstanding: '7.00' };
    api.answer('POST /user/close', () => new Refusal(405, 'Pay it in first', data));
    await close();
    await confirm();
    expect(await screen.findByText('Pay it in first')).toBeVisible();
    expect(session.get().token).not.toBeNull();
  });

  it('wants the password, and the right one', async () => {
    const api = open();
    await close('');
    expect(screen.getByLabelText('Login password')).toBeInvalid();
    const error = 'wrong_credentials';
    api.answer('POST /user/close', () => new Refusal(405, 'Wrong', { error }));
    await close('wrong');
    await confirm();
    expect(await screen.findByText('Wrong password')).toBeVisible();
    expect(screen.getByLabelText('Login password')).toHaveValue('wrong');
  });

  it('leads who came through the app, and may have no password, to customer service', async () => {
    open();
    await screen.findByLabelText('Login password');
    expect(screen.queryByText(/Did you come here through the app/)).toBeNull();
    act(() => setUser({ ...aUser, entry: 'app' }));
    const notice = (await screen.findByText(/Did you come here through the app/))
      .parentElement as HTMLElement;
    await userEvent.click(within(notice).getByRole('button', { name: 'Customer service' }));
    expect(await screen.findByRole('dialog', { name: 'Customer service' })).toBeVisible();
  });

  it('closes nothing over a lost connection, and keeps the password', async () => {
    const api = open();
    api.answer('POST /user/close', lostConnection);
    await close();
    await confirm();
    expect(await screen.findByText(/No connection/)).toBeVisible();
    expect(screen.getByLabelText('Login password')).toHaveValue('correct horse');
    expect(session.get().token).not.toBeNull();
  });

  it('can be read again after a failure', async () => {
    const api = fakeApi({
      'GET /user/property': () => new Refusal(500, 'Server error'),
      'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    });
    renderApp('/me/close', aUser);
    const again = await screen.findByRole('button', { name: 'Reload' });
    api.answer('GET /user/property', () => settled);
    await userEvent.click(again);
    expect(await screen.findByLabelText('Login password')).toBeVisible();
  });
});
