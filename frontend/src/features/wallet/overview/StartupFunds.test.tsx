import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Property } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { aDaysPage, aProperty, noRechargeForm, rightHash } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

function open(property: Partial<Property>) {
  const api = fakeApi({
    'GET /user/property': () => ({ ...aProperty, ...property }),
    'GET /transaction_flow/by_day': () => ({ ...aDaysPage, items: [], next_cursor: null }),
    'GET /user/recharges': () => ({ items: [], next_cursor: null }),
    'GET /user/recharge/announcements': () => noRechargeForm,
    'POST /check/password': () => ({}),
    'POST /user/startup/return': () => ({ outstanding: '0.00' }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/wallet', aUser);
  return api;
}

describe('start-up funds in the wallet', () => {
  it('shows start-up funds before they block anything, and returns them with one tap', async () => {
    const api = open({ startup_outstanding: '500.00' });
    expect(await screen.findByText('Start-up funds to return: $500.00')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Return $500.00' }));
    await enterPassword();
    await waitFor(() =>
      expect(api.to('/user/startup/return')[0]?.body).toEqual({
        amount: '500.00',
        password: rightHash,
      }),
    );
    expect(await screen.findByText('Start-up funds returned')).toBeVisible();
  });

  it('returns no more start-up funds than are available', async () => {
    open({ startup_outstanding: '500.00', available: '120.50' });
    expect(await screen.findByRole('button', { name: 'Return $120.50' })).toBeVisible();
  });

  it('shows why start-up funds could not be returned', async () => {
    const api = open({ startup_outstanding: '500.00' });
    const refusal = new Refusal(405, 'Not enough money', { error: 'insufficient_balance' });
    api.answer('POST /user/startup/return', () => refusal);
    await userEvent.click(await screen.findByRole('button', { name: 'Return $500.00' }));
    await enterPassword();
    expect(await screen.findByText('Not enough money')).toBeVisible();
  });

  it('returns start-up funds once, over a connection that was lost', async () => {
    const api = open({ startup_outstanding: '500.00' });
    api.answer('POST /user/startup/return', lostConnection);
    await userEvent.click(await screen.findByRole('button', { name: 'Return $500.00' }));
    await enterPassword();
    expect(await screen.findByText(/it cannot be carried out twice/)).toBeVisible();
    api.answer('POST /user/startup/return', () => ({ outstanding: '0.00' }));
    await userEvent.click(screen.getByRole('button', { name: 'Return $500.00' }));
    await enterPassword();
    expect(await screen.findByText('Start-up funds returned')).toBeVisible();
    const sent = api.to('/user/startup/return');
    expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1);
    expect(sent).toHaveLength(2);
  });
});
