import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Coupon } from '@/api/types';
import { barAnswers } from '@/testing/answers';
import { fakeApi, lostConnection } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aCoupon } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

const list = 'GET /user_coupon/list';

function open(coupons: Record<string, Coupon[]>, at = '/ad-center/coupons') {
  const api = fakeApi({
    [list]: ({ query }) => ({ items: coupons[query.get('status') ?? ''], next_cursor: null }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(at, aUser);
  return api;
}

function ticket(name: string) {
  const title = screen.getByRole('heading', { name });
  return within(title.closest('article') as HTMLElement);
}

describe('CouponsPage', () => {
  it('says what each coupon gives, on which amounts, for how long and for whom', async () => {
    open({
      unused: [
        aCoupon,
        {
          ...aCoupon,
          id: 'k2',
          name: 'Five more',
          kind: 'value_add',
          effect: 'addition',
          value: '5.00',
          max_value: null,
          min_amount: '0.00',
        },
        {
          ...aCoupon,
          id: 'k3',
          name: 'Team Atlas',
          kind: 'team',
          effect: 'deduction',
          value: '8.00',
          max_value: null,
          operated_id: 'OP-7',
        },
      ],
    });
    await screen.findByRole('heading', { name: 'Newcomer 10' });
    const discount = ticket('Newcomer 10');
    expect(discount.getByText('10% off')).toBeVisible();
    expect(discount.getByText('Special coupon')).toBeVisible();
    expect(
      discount.getByText('The platform pays 10% of the amount, at most $50.00.'),
    ).toBeVisible();
    expect(discount.getByText('For amounts from $100.00')).toBeVisible();
    expect(discount.getByText('Valid until Dec 21, 2026')).toBeVisible();
    const addition = ticket('Five more');
    expect(addition.getByText('$5.00 extra')).toBeVisible();
    expect(addition.getByText(/the platform adds \$5.00 to the budget/)).toBeVisible();
    expect(addition.getByText('For any amount')).toBeVisible();
    const team = ticket('Team Atlas');
    expect(team.getByText('$8.00 off')).toBeVisible();
    expect(team.getByText('Only while you follow OP-7')).toBeVisible();
  });

  it('takes an unused coupon along to the products', async () => {
    open({ unused: [aCoupon] });
    const use = await screen.findByRole('link', { name: 'Use' });
    expect(use).toHaveAttribute('href', '#/plan?coupon=k1');
  });

  it('shows used and expired ones in their own tabs, with nothing left to press', async () => {
    const { to } = open({
      unused: [aCoupon],
      used: [{ ...aCoupon, name: 'Spent', status: 'used' }],
      expired: [{ ...aCoupon, name: 'Too late', status: 'expired' }],
    });
    await screen.findByRole('heading', { name: 'Newcomer 10' });
    await userEvent.click(screen.getByRole('tab', { name: 'Used' }));
    expect(await screen.findByRole('heading', { name: 'Spent' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Use' })).toBeNull();
    await userEvent.click(screen.getByRole('tab', { name: 'Expired' }));
    expect(await screen.findByText('Expired on Dec 21, 2026')).toBeVisible();
    expect(address()).toBe('/ad-center/coupons?tab=expired');
    const asked = to('/user_coupon/list').map(({ query }) => query.get('status'));
    expect(asked).toEqual(['unused', 'used', 'expired']);
  });

  it('leads from no coupons to the activities', async () => {
    open({ unused: [] });
    const link = await screen.findByRole('link', { name: 'See activities' });
    expect(link).toHaveAttribute('href', '#/ad-center/activities');
    expect(screen.getByText(/one coupon of the same name and use one/)).toBeVisible();
  });

  it('offers to load again what could not be read', async () => {
    const api = fakeApi({ ...barAnswers, [list]: lostConnection });
    renderApp('/ad-center/coupons', aUser);
    const again = await screen.findByRole('button', { name: /reload/i });
    api.answer(list, () => ({ items: [aCoupon], next_cursor: null }));
    await userEvent.click(again);
    await waitFor(() => expect(screen.getByText('10% off')).toBeVisible());
  });
});
