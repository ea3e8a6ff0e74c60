import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { Recharge } from '@/api/types';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aDaysPage, aProperty } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

const waiting: Recharge = {
  id: 'r2',
  amount: '250.00',
  status: 'requested',
  reference: 'BANK-4711',
  requested_at: '2026-11-20T10:00:00Z',
  expires_at: '2026-11-27T10:00:00Z',
  decided_at: null,
};
const credited: Recharge = { ...waiting, id: 'r1', status: 'approved', reference: 'BANK-1' };

function open(address: string, items: Recharge[]) {
  const api = fakeApi({
    'GET /user/property': () => aProperty,
    'GET /transaction_flow/by_day': () => ({ ...aDaysPage, items: [], next_cursor: null }),
    'GET /user/recharges': ({ query }) => {
      const status = query.get('status');
      const some = items.filter((one) => !status || one.status === status);
      return { items: some, next_cursor: null };
    },
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(address, aUser);
  return api;
}

describe('recharges', () => {
  it('are listed with what became of each', async () => {
    open('/wallet/recharge', [waiting, credited]);
    const list = await screen.findByRole('list', { name: 'Your recharges' });
    const [first, second] = within(list).getAllByRole('listitem');
    expect(first).toHaveTextContent(/\$250\.00.*Being checked.*BANK-4711.*expires on/);
    expect(second).toHaveTextContent(/Credited.*BANK-1/);
    expect(second).not.toHaveTextContent(/expires/);
  });

  it('have a reference to copy', async () => {
    const user = userEvent.setup();
    open('/wallet/recharge', [waiting]);
    await user.click(await screen.findByRole('button', { name: 'Copy reference BANK-4711' }));
    expect(await navigator.clipboard.readText()).toBe('BANK-4711');
    expect(await screen.findByText('Copied')).toBeVisible();
  });

  it('begin with customer service', async () => {
    open('/wallet/recharge', []);
    expect(await screen.findByText('No recharges yet')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Ask customer service' }));
    expect(await screen.findByText('Customer service 1 - Recharges')).toBeVisible();
  });

  it('stand in the wallet while they wait', async () => {
    const { to } = open('/wallet', [waiting, credited]);
    expect(await screen.findByRole('heading', { name: 'Waiting to be credited' })).toBeVisible();
    expect(screen.getByText('BANK-4711')).toBeVisible();
    expect(screen.queryByText('BANK-1')).not.toBeInTheDocument();
    expect(to('/user/recharges')[0]?.query.get('status')).toBe('requested');
    expect(screen.getByRole('link', { name: 'Your recharges' })).toHaveAttribute(
      'href',
      '#/wallet/recharge',
    );
  });

  it('leave no card in the wallet when none waits', async () => {
    vi.stubGlobal('scrollTo', () => {});
    open('/wallet', [credited]);
    await screen.findByRole('region', { name: 'Total assets' });
    expect(screen.queryByText('Waiting to be credited')).not.toBeInTheDocument();
  });
});
