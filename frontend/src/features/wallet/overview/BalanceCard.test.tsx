import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Property } from '@/api/types';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aDaysPage, aProperty, noRechargeForm } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

async function open(accounts: object[], property: Partial<Property> = {}) {
  fakeApi({
    'GET /user/property': () => ({ ...aProperty, ...property }),
    'GET /transaction_flow/by_day': () => ({ ...aDaysPage, items: [], next_cursor: null }),
    'GET /user/recharges': () => ({ items: [], next_cursor: null }),
    'GET /user/recharge/announcements': () => ({ ...noRechargeForm, accounts }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/wallet', aUser);
  return within(await screen.findByRole('region', { name: 'Total assets' }));
}

describe('the main figure of the wallet', () => {
  it('leads to what can be done, recharging through customer service', async () => {
    const card = await open([]);
    expect(card.getByRole('link', { name: 'Withdraw' })).toHaveAttribute(
      'href',
      '#/wallet/withdraw',
    );
    await userEvent.click(card.getByRole('button', { name: 'Recharge' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('link', { name: /Recharges/ })).toBeVisible();
  });

  it('has what can be done as its first choice', async () => {
    const full = await open([]);
    expect(full.getByRole('link', { name: 'Withdraw' })).toHaveAttribute('data-primary', 'true');
    expect(full.getByRole('button', { name: 'Recharge' })).toHaveAttribute('data-primary', 'false');
    cleanup();
    const empty = await open([], { available: '0.00' });
    expect(empty.getByRole('link', { name: 'Withdraw' })).toHaveAttribute('data-primary', 'false');
    expect(empty.getByRole('button', { name: 'Recharge' })).toHaveAttribute('data-primary', 'true');
  });

  it('leads to the form where staff have said where to pay', async () => {
    const card = await open([{ id: 'bank', label: 'Bank', account: 'DE02120300000000202051' }]);
    const link = await card.findByRole('link', { name: 'Recharge' });
    expect(link).toHaveAttribute('href', '#/wallet/recharge');
  });
});
