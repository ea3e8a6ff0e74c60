import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { clearSeenFlags } from '@/shared/account/seen-flag';
import { fakeApi } from '@/testing/api';
import { aProduct, aUser, someStatistics } from '@/testing/data';
import { anActivity, aProperty } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

const fresh = {
  ...someStatistics,
  orders: 0,
  impressions: 0,
  clicks: 0,
  series: [],
  previous: null,
};
const poor = { ...aProperty, available: '0.00', promotional: '0.00', pay_password_set: false };

function open(changed = {}, user = aUser) {
  const api = fakeApi({
    'GET /user/info': () => user,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    'GET /ad/order/data_statistics/list': () => fresh,
    'GET /products': () => ({ items: [aProduct], next_cursor: null }),
    'GET /user/property': () => poor,
    'GET /activities': () => [anActivity],
    'GET /plan/order/list': () => ({ items: [], next_cursor: null }),
    ...changed,
  });
  renderApp('/ad-center', user);
  return api;
}

const card = async () =>
  (await screen.findByRole('heading', { name: 'Your first steps' })).closest(
    'section',
  ) as HTMLElement;
const current = async () => (await card()).querySelector('[aria-current=step]')?.textContent;

afterEach(() => clearSeenFlags());

describe('the first steps', () => {
  it('say what is done, what is next, and what comes later', async () => {
    open();
    const list = within(await card());
    await waitFor(() => expect(list.getByText(/Claim your newcomer coupon/)).toBeVisible());
    expect(list.getByRole('progressbar')).toHaveAttribute('aria-label', '1 of 6 done');
    expect(await current()).toMatch(/^Add money/);
    // The transaction password can be set before there is any.
    expect(list.getAllByText('Available once there is money in your account.')).toHaveLength(1);
    expect(list.getByRole('link', { name: 'Set it now' })).toHaveAttribute(
      'href',
      '#/wallet/set-password',
    );
    expect(list.getByRole('link', { name: 'See how to pay' })).toHaveAttribute(
      'href',
      '#/wallet/recharge',
    );
  });

  it('lead to the products once there is money', async () => {
    open({ 'GET /user/property': () => ({ ...poor, available: '50.00', pay_password_set: true }) });
    const list = within(await card());
    expect(await current()).toMatch(/^Start your first plan/);
    await userEvent.click(list.getByRole('button', { name: 'Choose a product' }));
    expect(await screen.findByRole('dialog', { name: 'Choose a product' })).toBeVisible();
  });

  it('begin with the authorization code for who has none yet', async () => {
    open({}, { ...aUser, store_opened: false });
    await userEvent.click(
      within(await card()).getByRole('link', { name: 'Enter authorization code' }),
    );
    await waitFor(() => expect(address()).toBe('/ad-welcome'));
  });

  it('are put away for good', async () => {
    open();
    await userEvent.click(within(await card()).getByRole('button', { name: 'Hide these steps' }));
    expect(screen.queryByText('Your first steps')).toBeNull();
    cleanup();
    open();
    await screen.findByText('No delivery in this period');
    expect(screen.queryByText('Your first steps')).toBeNull();
  });

  it('are gone with the first view', async () => {
    open({ 'GET /ad/order/data_statistics/list': () => ({ ...fresh, orders: 1, impressions: 1 }) });
    await screen.findByText('Your returns');
    expect(screen.queryByText('Your first steps')).toBeNull();
  });
});
