import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { PlanDetail } from '@/api/types';
import { fakeApi, lostConnection } from '@/testing/api';
import { noResults } from '@/testing/compare-data';
import { aUser } from '@/testing/data';
import { aSeries } from '@/testing/event-data';
import {
  aCoupon,
  aPlan,
  aProductToPut,
  aProperty,
  quoteWithoutCoupons,
} from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';
import { againPath, readAgain } from '../put/put-again';
import type { PlanTab } from './plan-tab';

function open(plan: PlanDetail, tab: PlanTab = 'delivery', series: () => unknown = () => aSeries) {
  const api = fakeApi({
    'POST /plan/order/detail': () => plan,
    'GET /plan/order/series': series,
    'GET /plan/product/results': () => noResults,
    'POST /plan/order/app/detail': () => aProductToPut,
    'POST /plan/order/quote': ({ body }) =>
      quoteWithoutCoupons((body as { amount: string }).amount),
    'GET /user/property': () => aProperty,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(`/plan/detail?id=42&tab=${tab}`, aUser);
  return api;
}

/** The value next to a label, and what stands below it. */
async function fact(name: string) {
  const term = await screen.findByText(name, { selector: 'dt' });
  return term.parentElement?.textContent?.slice(name.length);
}

describe('a plan’s figures', () => {
  it('come with what they cost, and one’s own part where the two differ', async () => {
    open(aPlan, 'money');
    expect(await fact('Click rate')).toBe('2.93%Clicks per impression');
    expect(await fact('Viewable share')).toContain('63%Half of the ad or more');
    expect(await fact('Cost per click')).toBe('$0.08178$0.07669 of it is your own money');
    expect(await fact('Cost per conversion')).toBe('$2.59$2.43 of it is your own money');
    expect(await fact('Return on your money (ROI)')).toContain('+21.2%');
    expect(
      screen.getByText(/^Advertising revenue so far, minus the fee.*\+\$159\.81$/),
    ).toBeVisible();
  });

  it('know how long the result is, which is as large as fits in one line', async () => {
    open({ ...aPlan, profit: '-123456789012.34' });
    const profit = await screen.findByText('-$123,456,789,012.34');
    expect(profit.style.getPropertyValue('--longest')).toBe('20');
  });

  it('have a dash where there is nothing to divide by', async () => {
    const none = {
      click_rate: null,
      viewable_rate: null,
      cost_per_click: null,
      cost_per_conversion: null,
      own_cost_per_click: null,
      own_cost_per_conversion: null,
      profit: '0.00',
      return_on_spend: null,
    };
    open({ ...aPlan, ratios: none }, 'money');
    expect(await fact('Click rate')).toBe('–Clicks per impression');
    expect(await fact('Viewable share')).toMatch(/^–/);
    expect(await fact('Cost per click')).toBe('–');
    expect(await fact('Return on your money (ROI)')).toContain('–');
  });

  it('say nothing of one’s own part where it is the whole', async () => {
    const { ratios } = aPlan;
    open({ ...aPlan, ratios: { ...ratios, own_cost_per_click: ratios.cost_per_click } }, 'money');
    expect(await fact('Cost per click')).toBe('$0.08178');
  });

  it('are drawn by day; a day opens its figures, its bills and its hours', async () => {
    const api = open(aPlan);
    const days = await screen.findByRole('group', { name: /Consumed/ });
    const [first] = within(days).getAllByRole('button');
    expect(first).toHaveAccessibleName(/Nov 19: Consumed \$29.76/);
    await userEvent.click(first as HTMLElement);
    const sheet = within(screen.getByRole('dialog', { name: 'Nov 19, 2026' }));
    expect(sheet.getByText('12,400')).toBeVisible();
    expect(sheet.getByText('$20.00 of it by coupon and promotional credit')).toBeVisible();
    expect(sheet.getByRole('link', { name: /Ad billing/ }).getAttribute('href')).toContain(
      'from=2026-11-19T08%3A00%3A00Z',
    );
    await userEvent.click(sheet.getByRole('button', { name: 'By hour' }));
    await waitFor(() =>
      expect(Object.fromEntries(api.to('/plan/order/series')[1]?.query ?? [])).toEqual({
        plan_id: '42',
        step: 'hour',
        within: '2026-11-19T08:00:00Z',
      }),
    );
  });

  it('are drawn by the measure that is chosen, as a table too', async () => {
    open(aPlan);
    await userEvent.click(await screen.findByRole('tab', { name: 'Impressions' }));
    const days = screen.getByRole('group', { name: /Impressions/ });
    expect(within(days).getAllByRole('button')[1]).toHaveAccessibleName(/13,000/);
    await userEvent.click(screen.getByRole('button', { name: /table/i }));
    expect(screen.getByRole('row', { name: 'Nov 20, 2026 13,000' })).toBeVisible();
  });

  it('say how far a video was played, where there is one', async () => {
    const video = {
      started: 1200,
      first_quartile: 900,
      midpoint: 600,
      third_quartile: 480,
      completed: 401,
      skipped: 250,
    };
    open({ ...aPlan, video });
    expect(await fact('Started')).toMatch(/^1,200As video players report it/);
    expect(await fact('25% played')).toBe('90075%');
    expect(await fact('50% played')).toBe('60050%');
    expect(await fact('75% played')).toBe('48040%');
    expect(await fact('Played to the end')).toBe('40133.41%');
    expect(await fact('Skipped')).toBe('25020.83%');
  });

  it('say nothing of shares before a video has started, and nothing of a video that is none', async () => {
    const none = { first_quartile: 0, midpoint: 0, third_quartile: 0, completed: 0, skipped: 0 };
    open({ ...aPlan, video: { started: 0, ...none } });
    expect(await fact('Played to the end')).toBe('0');
    cleanup();
    open(aPlan);
    await screen.findByText('334,642');
    expect(screen.queryByText('Played to the end')).toBeNull();
  });

  it('are not drawn before there are any', async () => {
    open(aPlan, 'delivery', () => ({ points: [] }));
    await screen.findByText('334,642');
    await waitFor(() => expect(screen.queryByText('Over time')).toBeNull());
  });
});

describe('a plan’s page', () => {
  it('says one status at a time', async () => {
    open({ ...aPlan, paused: true }, 'money');
    expect(await screen.findByText('Paused')).toBeVisible();
    expect(screen.getAllByText(/^Paused: your ad is not being shown/).length).toBeGreaterThan(0);
    // The timeline still tells when it began.
    expect(screen.getAllByText('Putting')).toHaveLength(1);
  });

  it('says that the hours could not be read, and asks again', async () => {
    let lost = false;
    open(aPlan, 'delivery', () => (lost ? lostConnection() : aSeries));
    const hours = await screen.findByRole('tab', { name: 'By hour' });
    lost = true;
    await userEvent.click(hours);
    const card = within(await screen.findByRole('alert'));
    lost = false;
    await userEvent.click(card.getByRole('button', { name: 'Reload' }));
    expect(await screen.findByRole('tab', { name: 'Consumed' })).toBeVisible();
  });

  it('says how many of its days are left', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-19T10:00:00Z'));
    open(aPlan);
    expect(await screen.findByText(/7 days left/)).toBeVisible();
  });

  it.each([
    ['own', null, 'Chosen by you'],
    ['official', null, 'The provider'],
    ['followed', 'OP-1001', 'From OP-1001, which you follow'],
  ] as const)('says who offered it: %s', async (origin, followed_id, text) => {
    open({ ...aPlan, origin, followed_id }, 'bought');
    expect(await fact('Offered by')).toBe(text);
    expect(screen.getByText(aPlan.product.summary)).toBeVisible();
  });

  it('puts the same again: the form is open and filled in', async () => {
    open({ ...aPlan, ai_delivery: true, put_amount: '120.00' });
    await userEvent.click(await screen.findByRole('link', { name: 'Put the same amount again' }));
    const form = within(await screen.findByRole('dialog', { name: 'Put amount' }));
    expect(form.getByLabelText('Amount')).toHaveValue('120.00');
    expect(form.getByRole('switch', { name: 'AI delivery' })).toBeChecked();
    expect(address()).toMatch(/^\/plan\/goods-detail\?id=/);
  });
});

describe('what is put again', () => {
  const asked = (plan: PlanDetail) => readAgain(new URLSearchParams(againPath(plan).split('?')[1]));

  it('is what was typed, without what a coupon added and within the limits', () => {
    const plan = { ...aPlan, put_amount: '120.00', paid_amount: '100.00' };
    expect(asked(plan)).toEqual({ amount: '120.00', content: 'video', aiDelivery: false });
    const coupon = { ...aCoupon, effect: 'addition' as const };
    expect(asked({ ...plan, coupon })?.amount).toBe('100.00');
    expect(asked({ ...plan, put_amount: '999999.00' })?.amount).toBe(plan.product.max_put);
  });

  it.each(['', 'again=', 'again=x', 'again=-5', 'again=1e9'])(
    'is nothing without an amount: %s',
    (query) => {
      expect(readAgain(new URLSearchParams(query))).toBeNull();
    },
  );
});
