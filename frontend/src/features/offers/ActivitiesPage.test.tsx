import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Activity } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aCoupon, anActivity } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

const receive = 'POST /user_coupon/receive';

function open(activities: Activity[] = [anActivity]) {
  const api = fakeApi({
    'GET /activities': () => activities,
    [receive]: () => aCoupon,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/ad-center/activities', aUser);
  return api;
}

async function press() {
  await userEvent.click(await screen.findByRole('button', { name: 'Claim coupon' }));
}

describe('ActivitiesPage', () => {
  it('shows what is given and the rules', async () => {
    open();
    expect(await screen.findByRole('heading', { name: 'Welcome' })).toBeVisible();
    expect(screen.getByText('10% off')).toBeVisible();
    expect(screen.getByText(/^Coupons that your provider offers you/)).toBeVisible();
    expect(screen.getByText('Once for everybody.')).toBeVisible();
    expect(screen.getByText('One coupon of the same name a day.')).toBeVisible();
  });

  it('is received once and then says so', async () => {
    const api = open();
    await screen.findByRole('button', { name: 'Claim coupon' });
    api.answer('GET /activities', () => [{ ...anActivity, received: true }]);
    await press();
    expect(await screen.findByText('Received')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Claim coupon' })).toBeNull();
    expect(api.to('/user_coupon/receive').map(({ body }) => body)).toEqual([
      { activity: 'newcomer' },
    ]);
    expect(screen.getByRole('link', { name: 'See your coupons' })).toHaveAttribute(
      'href',
      '#/ad-center/coupons',
    );
  });

  it('shows as received what was received before', async () => {
    open([{ ...anActivity, received: true }]);
    expect(await screen.findByText('Received')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Claim coupon' })).toBeNull();
  });

  it.each(['coupon_already_received', 'coupon_daily_limit', 'store_not_opened'])(
    'shows %s in the server’s words and asks anew what is so',
    async (error) => {
      const api = open();
      api.answer(receive, () => new Refusal(405, `Because ${error}`, { error }));
      await press();
      expect(await screen.findByText(`Because ${error}`)).toBeVisible();
      await waitFor(() => expect(api.to('/activities')).toHaveLength(2));
    },
  );

  it('can be pressed again after a lost connection', async () => {
    const api = open();
    api.answer(receive, lostConnection);
    await press();
    expect(await screen.findByText(/the coupon is claimed only once/)).toBeVisible();
    api.answer(receive, () => aCoupon);
    await press();
    expect(await screen.findByText('Received')).toBeVisible();
  });

  it('says when there are none', async () => {
    open([]);
    expect(await screen.findByText('No activities at present')).toBeVisible();
  });
});
