import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { FlowRow } from '@/api/types';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aDaysPage, aFlowRow, aProperty, noRechargeForm } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';
import { wideScreen } from '@/testing/wide-screen';

const rows = ['1', '2', '3', '4'].map((id): FlowRow => ({ ...aFlowRow, id }));

async function open(at: string, items: FlowRow[] | 'never') {
  const api = fakeApi({
    'GET /user/property': () => aProperty,
    'GET /transaction_flow/by_day': () =>
      items === 'never' ? new Promise(() => {}) : { ...aDaysPage, items, next_cursor: null },
    'GET /user/recharges': () => ({ items: [], next_cursor: null }),
    'GET /user/recharge/announcements': () => noRechargeForm,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(at, aUser);
  await screen.findByRole('region', { name: 'Total assets' });
  return api;
}

const latest = () => screen.queryByRole('list', { name: 'Latest transactions' });

describe('the last movements', () => {
  it('are below the balance, from what the list has read, and open as there', async () => {
    const api = await open('/wallet', rows);
    const list = within(await screen.findByRole('list', { name: 'Latest transactions' }));
    const shown = list.getAllByRole('button');
    expect(shown.map((row) => row.textContent)).toHaveLength(3);
    expect(shown[0]).toHaveTextContent('Aurora CoffeeBudget set aside');
    expect(api.to('/transaction_flow/by_day')).toHaveLength(1);
    await userEvent.click(shown[0] as HTMLElement);
    expect(screen.getByRole('dialog', { name: 'Budget set aside' })).toBeVisible();
  });

  it('have their place before they are read, so that nothing below moves', async () => {
    await open('/wallet', 'never');
    expect(screen.getByRole('heading', { name: 'Latest transactions' })).toBeVisible();
    expect(latest()).toBeNull();
  });

  it('lead to all of them', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    await open('/wallet', rows);
    await userEvent.click(await screen.findByRole('button', { name: 'Show all' }));
    const [lines] = scrolled.mock.contexts as Element[];
    expect(lines).toHaveFocus();
    expect(lines).toContainElement(screen.getByRole('list', { name: 'Funding details' }));
  });

  it('are not there before anything moved', async () => {
    await open('/wallet', []);
    expect(await screen.findByText('No transactions yet')).toBeVisible();
    expect(latest()).toBeNull();
  });

  it('are not there for who came for some of them', async () => {
    await open('/wallet?kind=ad_serving', rows);
    await screen.findByRole('list', { name: 'Funding details' });
    expect(latest()).toBeNull();
  });

  it('are not there on a desktop, where all are beside the balance', async () => {
    wideScreen(true);
    await open('/wallet', rows);
    await screen.findByRole('list', { name: 'Funding details' });
    expect(latest()).toBeNull();
  });
});
