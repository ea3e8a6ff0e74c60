import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aListedOffer, aListedPlan } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';
import { wideScreen } from '@/testing/wide-screen';

const offer = { ...aListedOffer, id: '43', plan_no: 'P0FFER' };
const loss = { ...aListedPlan, id: '44', plan_no: 'PL0SS', profit: '-20.00' };

function open(at = '/plan', items: object[] = [aListedPlan, offer, loss]) {
  const api = fakeApi({
    'GET /plan/order/list': () => ({ items, next_cursor: null, choices: { products: [] } }),
    'POST /plan/order/await/put/count': () => ({ count: 0 }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(at, aUser);
  const asked = () => Object.fromEntries(api.to('/plan/order/list').at(-1)?.query ?? []);
  return { ...api, asked };
}

const theTable = () => screen.findByRole('table', { name: 'Plans' });
const column = (name: string) => screen.getByRole('columnheader', { name });

beforeEach(() => {
  wideScreen(true);
});

describe('the plans on a wide screen', () => {
  it('are a table of the same plans, each row a link', async () => {
    const { to } = open();
    const [, first, second, third] = within(await theTable()).getAllByRole('row');
    expect(first).toHaveTextContent(
      'Aurora Coffee P7KQ2M9XRTPuttingNov 10, 2026$803.14of $1,250.0027+$159.81+21.2%',
    );
    const link = within(first as HTMLElement).getByRole('link');
    expect(link).toHaveAccessibleName('Aurora Coffee P7KQ2M9XRT');
    expect(link).toHaveAttribute('href', '#/plan/detail?id=42');
    expect(second).toHaveTextContent('put an amount');
    const signs = [first, third].map((row) => row?.querySelector('[data-sign]'));
    expect(signs.map((cell) => cell?.getAttribute('data-sign'))).toEqual(['gain', 'loss']);
    expect(screen.queryByRole('list', { name: 'Plans' })).toBeNull();
    expect(to('/plan/order/list')).toHaveLength(1);
  });

  it('have their figures at the end of their columns, and so the columns’ names', async () => {
    open();
    const heads = [...(await theTable()).querySelectorAll('th[class*=end]')];
    expect(heads.map(({ textContent }) => textContent)).toEqual(['Conversions', 'Profit', 'ROI']);
  });

  it('are sorted by their columns, which the address keeps', async () => {
    const { asked } = open('/plan?status=putting');
    await theTable();
    expect(column('Date')).toHaveAttribute('aria-sort', 'descending');
    expect(column('ROI')).toHaveAttribute('aria-sort', 'none');
    await userEvent.click(screen.getByRole('button', { name: 'ROI' }));
    expect(address()).toBe('/plan?status=putting&sort=roi');
    await waitFor(() => expect(asked()).toMatchObject({ status: 'putting', sort: 'roi' }));
    // The column that was pressed stays where it is, and keeps the focus.
    expect(screen.getByRole('button', { name: 'ROI' })).toHaveFocus();
    await waitFor(() => expect(column('ROI')).toHaveAttribute('aria-sort', 'descending'));
    expect(column('Date')).toHaveAttribute('aria-sort', 'none');
    await userEvent.click(screen.getByRole('button', { name: 'ROI' }));
    expect(address()).toBe('/plan?status=putting&sort=roi&order=asc');
    await waitFor(() => expect(asked()).toMatchObject({ sort: 'roi', order: 'asc' }));
    await waitFor(() => expect(column('ROI')).toHaveAttribute('aria-sort', 'ascending'));
    await userEvent.click(screen.getByRole('button', { name: 'Consumed' }));
    expect(address()).toBe('/plan?status=putting&sort=consumed');
    await userEvent.click(screen.getByRole('button', { name: 'Conversions' }));
    expect(address()).toBe('/plan?status=putting&sort=conversions');
  });

  it('are selected and paused as in the list', async () => {
    const api = open();
    api.answer('POST /plan/order/pause', () => ({ ...aListedPlan, paused: true }));
    await theTable();
    await userEvent.click(screen.getByRole('button', { name: 'Select' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Aurora Coffee, P7KQ2M9XRT' }));
    expect(await screen.findByText('Selected: 1')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Stop selecting' }));
    const pause = { name: 'Pause: Aurora Coffee, P7KQ2M9XRT' };
    await userEvent.click(await screen.findByRole('button', pause));
    expect(await screen.findByText('Plan paused')).toBeVisible();
    expect(api.to('/plan/order/pause').map(({ body }) => body)).toEqual([{ id: '42' }]);
  });

  it('become a list again where the screen becomes narrow', async () => {
    const { to } = open();
    await theTable();
    wideScreen(false);
    expect(await screen.findByRole('list', { name: 'Plans' })).toBeVisible();
    expect(screen.queryByRole('table', { name: 'Plans' })).toBeNull();
    expect(to('/plan/order/list')).toHaveLength(1);
  });
});
