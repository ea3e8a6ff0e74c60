import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Property } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { aFlow, aProperty, aStatement, rightHash } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

function open(property: Partial<Property> = {}, funds?: () => unknown, flow = aFlow) {
  const api = fakeApi({
    'GET /user/property': funds ?? (() => ({ ...aProperty, ...property })),
    'GET /transaction_flow/list': ({ query }) =>
      query.get('cursor') === 'c1'
        ? { ...aStatement, items: [{ ...aFlow, id: 'f9', remark: 'The oldest' }] }
        : { ...aStatement, items: [flow], next_cursor: query.get('kind') ? null : 'c1' },
    'POST /check/password': () => ({}),
    'POST /user/startup/return': () => ({ outstanding: '0.00' }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/wallet', aUser);
  return api;
}

const total = () => screen.findByRole('region', { name: 'Total assets' });

describe('WalletPage', () => {
  it('shows the total, what it is made of, and the credit beside it', async () => {
    open();
    expect(await total()).toHaveTextContent('$12,846.37');
    expect(await total()).toHaveTextContent('$10,000.00');
    for (const [name, amount] of [
      ['To be consumed', '$1,496.86'],
      ['To be settled', '$961.00'],
      ['Withdrawing', '$388.51'],
    ] as const) {
      expect(screen.getByText(name).nextElementSibling).toHaveTextContent(amount);
    }
    expect(screen.getByText(/not part of your assets/)).toBeVisible();
    expect(screen.queryByText('Deposit', { selector: 'dt' })).toBeNull();
  });

  it('hides every amount and remembers it', async () => {
    open();
    await userEvent.click(within(await total()).getByRole('button', { name: 'Hide amounts' }));
    expect(screen.queryByText(/\d,\d{3}\.\d\d/)).toBeNull();
    expect(localStorage.getItem('wallet_hidden')).toBe('1');
    await userEvent.click(screen.getByRole('button', { name: 'Hide amounts' }));
    expect(await total()).toHaveTextContent('$12,846.37');
  });

  it('leads to what can be done, recharging through customer service', async () => {
    open();
    const card = within(await total());
    expect(card.getByRole('link', { name: 'Withdraw' })).toHaveAttribute(
      'href',
      '#/wallet/withdraw',
    );
    await userEvent.click(card.getByRole('button', { name: 'Recharge' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('link', { name: /Recharges/ })).toBeVisible();
  });

  it('lists the movements with sign, balance, remark and the way to the plan', async () => {
    open();
    const list = await screen.findByRole('list', { name: 'Funding details' });
    const row = within(list).getByRole('link', { name: /Ad serving/ });
    expect(row).toHaveTextContent('-$1,250.00');
    expect(row).toHaveTextContent('Available $8,750.00');
    expect(row).toHaveTextContent('P7KQ2M9XRT');
    expect(row).toHaveAttribute('href', '#/plan/detail?id=42');
  });

  it('says which money came from the plan’s budget', async () => {
    open({}, undefined, { ...aFlow, account: 'held', kind: 'ad_billing' });
    expect(await screen.findByText('From the plan’s budget')).toBeVisible();
  });

  it('filters by month from the chart and by kind, and keeps the chart whole', async () => {
    const api = open();
    const bar = await screen.findByRole('button', { name: /Oct: income \$4,100.00, expense/ });
    await userEvent.click(bar);
    await waitFor(() =>
      expect(api.to('/transaction_flow/list').at(-1)?.query.get('month')).toBe('2026-10'),
    );
    expect(bar).toHaveAttribute('aria-pressed', 'true');
    expect(screen.getByRole('button', { name: /Nov: income/ })).toBeVisible();
    expect(screen.getByLabelText('Month')).toHaveDisplayValue('October 2026');
    expect(await screen.findByText('+$4,100.00')).toBeVisible();
    expect(screen.getByText('-$3,900.00')).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText('Kind'), 'Settlement');
    await waitFor(() =>
      expect(api.to('/transaction_flow/list').at(-1)?.query.get('kind')).toBe('settlement'),
    );
  });

  it('reads on by the cursor', async () => {
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }));
    expect(await screen.findByText('The oldest')).toBeVisible();
  });

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

  it('offers to reload after a lost connection', async () => {
    const api = open({}, lostConnection);
    const reload = await screen.findByRole('button', { name: 'Reload' }, { timeout: 4000 });
    api.answer('GET /user/property', () => aProperty);
    await userEvent.click(reload);
    expect(await total()).toHaveTextContent('$12,846.37');
  });
});
