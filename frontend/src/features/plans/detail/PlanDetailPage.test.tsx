import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { PlanDetail } from '@/api/types';
import { anAiDelivery } from '@/testing/ai-data';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aProduct, aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { aSeries } from '@/testing/event-data';
import { aCoupon, anOffer, aPlan, aProperty, quoteWithoutCoupons } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';
import type { PlanTab } from './plan-tab';

function open(plan: PlanDetail, tab: PlanTab = 'delivery', detail: () => unknown = () => plan) {
  const api = fakeApi({
    'POST /plan/order/detail': detail,
    'GET /plan/order/series': () => aSeries,
    'POST /plan/order/quote': ({ body }) =>
      quoteWithoutCoupons((body as { amount: string }).amount),
    'POST /plan/order/put': () => aPlan,
    'POST /plan/order/pause': () => ({ ...plan, paused: true }),
    'POST /plan/order/stop': () => plan,
    'POST /check/password': () => ({}),
    'GET /user/property': () => aProperty,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(`/plan/detail?id=42&tab=${tab}`, aUser);
  return api;
}

/** The value next to a label. */
async function fact(name: string) {
  const term = await screen.findByText(name, { selector: 'dt, th > button' });
  return term.closest('dt, th')?.nextElementSibling?.textContent;
}

describe('PlanDetailPage', () => {
  it('shows where the plan stands, why, and what was delivered', async () => {
    open(aPlan);
    expect((await screen.findAllByText('Your ad is being shown.')).length).toBeGreaterThan(0);
    expect(await fact('Impressions')).toBe('334,642');
    expect(await fact('Conversions')).toBe('310');
    const clicks = screen.getByRole('row', { name: /^Clicks/ });
    expect(clicks).toHaveTextContent('9,8212.93%');
    expect(await fact('Filtered')).toBe('1,204');
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '64');
  });

  it('says which of its days it is, and where it would be if it went evenly', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-19T09:00:00Z'));
    open(aPlan);
    expect(await screen.findByText('Day 8 of 14')).toBeInTheDocument();
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '64%, Day 8 of 14');
  });

  it('leads from the budget used to its bills', async () => {
    open(aPlan);
    expect(await screen.findByRole('link', { name: /Ad billing/ })).toHaveAttribute(
      'href',
      '#/wallet?plan=42&kind=ad_billing',
    );
  });

  it.each([
    [0, 0, 0, ['0%', '0%', '0%']],
    [200, 50, 0, ['100%', '25%', '0%']],
    [10, 2, 4, ['100%', '20%', '100%']],
  ])(
    'draws %i, %i and %i as bars of their own length',
    async (impressions, clicks, conversions, bars) => {
      open({ ...aPlan, delivery: { ...aPlan.delivery, impressions, clicks, conversions } });
      await screen.findByRole('button', { name: 'Impressions' });
      const widths = screen
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.querySelector<HTMLElement>('[aria-hidden] > span')?.style.width);
      expect(widths).toEqual(bars);
    },
  );

  it('goes through the funnel by arrow keys, as one stop, and opens a step by Enter', async () => {
    open(aPlan);
    const step = (name: string) => screen.getByRole('button', { name });
    await screen.findByText('334,642');
    step('Impressions').focus();
    expect([step('Clicks').tabIndex, step('Conversions').tabIndex]).toEqual([-1, -1]);
    await userEvent.keyboard('{ArrowUp}');
    expect(step('Impressions')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    const sheet = within(screen.getByRole('dialog', { name: 'Impressions' }));
    expect(sheet.getByText('$2.40 per 1,000 impressions')).toBeVisible();
    expect(sheet.getByText('$803.14')).toBeVisible();
    expect(sheet.getByRole('link', { name: 'Every impression' })).toHaveAttribute(
      'href',
      '#/plan/events?plan=42&kind=impression',
    );
    expect(sheet.getByRole('link', { name: 'Funding details: Ad billing' })).toHaveAttribute(
      'href',
      '#/wallet?plan=42&kind=ad_billing',
    );
    await userEvent.keyboard('{Escape}{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(step('Conversions')).toHaveFocus();
    expect(step('Conversions').tabIndex).toBe(0);
  });

  it('says what a conversion earns and when it is settled, and leads to the settlement', async () => {
    const user = userEvent.setup();
    open(aPlan);
    await user.click(await screen.findByRole('button', { name: 'Conversions' }));
    let sheet = within(screen.getByRole('dialog', { name: 'Conversions' }));
    expect(sheet.getByText('$3.10')).toBeVisible();
    expect(sheet.getByText('$961.00')).toBeVisible();
    expect(sheet.getByText('Nov 28, 2026')).toBeVisible();
    expect(sheet.getAllByRole('link')).toHaveLength(1);
    expect(sheet.getByRole('link', { name: 'Every conversion' })).toHaveAttribute(
      'href',
      '#/plan/events?plan=42&kind=conversion',
    );
    cleanup();
    open({ ...aPlan, status: 'settled', settled_at: '2026-11-29T09:00:00Z' });
    await user.click(await screen.findByRole('button', { name: 'Conversions' }));
    sheet = within(screen.getByRole('dialog', { name: 'Conversions' }));
    expect(sheet.getByRole('link', { name: 'Funding details: Settlement' })).toHaveAttribute(
      'href',
      '#/wallet?plan=42&kind=settlement',
    );
  });

  it('splits the money exactly, the fee in amount and percent', async () => {
    open(aPlan, 'money');
    expect(await fact('Paid from your funds')).toBe('$1,200.00');
    expect(await fact('Promotional credit')).toBe('$50.00');
    expect(await fact('Still held for the plan')).toBe('$446.86');
    const fee = await screen.findByText('Platform fee (5%)', { selector: 'dt' });
    expect(fee.nextElementSibling).toHaveTextContent('-$48.05');
    expect(await fact('Not settled yet, after the fee')).toBe('$912.95');
    expect(await fact('Settlement expected on')).toBe('Nov 28, 2026');
  });

  it('keeps the fee rate that was agreed, whatever the product’s has become', async () => {
    open({ ...aPlan, fee_rate: '0.04' }, 'money');
    const fee = await screen.findByText('Platform fee (4%)', { selector: 'dt' });
    expect(fee.nextElementSibling).toHaveTextContent('-$38.44');
  });

  it('says what of it coupons paid, and what of the rest is one’s own as in the wallet', async () => {
    open(
      {
        ...aPlan,
        consumed: '30.00',
        billed: '30.00',
        platform_paid: '30.00',
        to_be_consumed: '1200.00',
      },
      'money',
    );
    expect(await screen.findByText('$30.00 of it by coupon and promotional credit')).toBeVisible();
    const held = screen.getByText('$1,200.00 of it is your own money');
    expect(held.previousElementSibling).toHaveTextContent('$1,220.00');
  });

  it('says what is used and not billed yet, and until when', async () => {
    open({ ...aPlan, unbilled: '0.37', bill_at: '2026-11-24T23:45:00Z' }, 'money');
    const said = /Of this, \$0\.37 is not billed yet\. It is billed by Nov 2\d, 2026/;
    expect(await screen.findByText(said)).toBeVisible();
    const term = screen.getByText('Not billed yet', { selector: 'dt' });
    expect(term.nextElementSibling).toHaveTextContent('$0.37');
  });

  it('counts what is not billed as used, and still as held', async () => {
    open({ ...aPlan, billed: '802.77', unbilled: '0.37', to_be_consumed: '447.23' }, 'money');
    const held = await screen.findByText('$447.23', { selector: 'dd' });
    expect(held.parentElement).not.toHaveTextContent('own money');
  });

  it('says what came back for events that did not count', async () => {
    open({ ...aPlan, refunded: '12.34' }, 'money');
    const term = await screen.findByText('Billed and given back', { selector: 'dt' });
    expect(term.nextElementSibling).toHaveTextContent('$12.34');
  });

  it('says nothing of that when everything is billed', async () => {
    open(aPlan);
    await screen.findAllByText('$803.14');
    expect(screen.queryByText(/not billed yet/i)).toBeNull();
  });

  it('names the coupon that paid a part', async () => {
    open({ ...aPlan, coupon: { ...aCoupon, status: 'used' } }, 'money');
    expect(await fact('Coupon and promotional credit')).toBe('$50.00');
    expect(screen.getByText('Newcomer 10: 10% off')).toBeVisible();
  });

  it('shows what settlement really took once it is done', async () => {
    open(
      {
        ...aPlan,
        status: 'settled',
        reason: 'window_closed',
        fee: '48.00',
        returned: '446.86',
        settled_at: '2026-11-29T09:00:00Z',
      },
      'money',
    );
    expect(await fact('Platform fee (5%)')).toBe('-$48.00');
    expect(await fact('Received after the fee')).toBe('$913.00');
    expect(await fact('Settled on')).toBe('Nov 29, 2026');
    expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
  });

  it('reads again every few seconds while putting, and keeps the figures when that fails', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const api = open(aPlan);
    await screen.findByText('334,642');
    api.answer('POST /plan/order/detail', () => ({
      ...aPlan,
      delivery: { ...aPlan.delivery, impressions: 334700 },
    }));
    await act(() => vi.advanceTimersByTimeAsync(7000));
    expect(await screen.findByText('334,700')).toBeVisible();
    api.answer('POST /plan/order/detail', lostConnection);
    await act(() => vi.advanceTimersByTimeAsync(9000));
    expect(await screen.findByText(/may be out of date/)).toBeVisible();
    expect(screen.getByText('334,700')).toBeVisible();
  });

  it('reads a settled plan once', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const api = open({ ...aPlan, status: 'settled' });
    await screen.findByText('334,642');
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(api.to('/plan/order/detail')).toHaveLength(1);
  });

  it('stops only after saying what becomes of the money', async () => {
    const api = open(aPlan);
    await userEvent.click(await screen.findByRole('button', { name: 'Stop plan' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Stop this plan for good?' }));
    expect(dialog.getByText(/is refunded, except what a coupon paid/)).toBeVisible();
    expect(api.to('/plan/order/stop')).toHaveLength(0);
    await userEvent.click(dialog.getByRole('button', { name: 'Stop plan' }));
    await waitFor(() => expect(api.to('/plan/order/stop')[0]?.body).toEqual({ id: '42' }));
    expect(await screen.findByText('Plan stopped')).toBeVisible();
  });

  it('shows why it could not pause', async () => {
    const api = open(aPlan);
    const refusal = new Refusal(405, 'It no longer runs', { error: 'plan_not_puttable' });
    api.answer('POST /plan/order/pause', () => refusal);
    await userEvent.click(await screen.findByRole('button', { name: 'Pause' }));
    const dialog = within(screen.getByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Pause' }));
    expect(await screen.findByText('It no longer runs')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('offers to resume what is paused', async () => {
    open({ ...aPlan, paused: true });
    expect(await screen.findByRole('button', { name: 'Resume' })).toBeVisible();
    expect(screen.getByText('Paused')).toBeVisible();
  });

  it('does not say of a paused plan that its ad is being shown', async () => {
    open({ ...aPlan, paused: true }, 'money');
    expect((await screen.findAllByText(/^Paused: your ad is not being shown/)).length).toBe(2);
    expect(screen.queryByText('Your ad is being shown.')).toBeNull();
    expect(screen.getByText('Looking for placements that fit the audience.')).toBeVisible();
  });

  it('shows what was bought as it was agreed, whatever the product has become', async () => {
    open(
      {
        ...aPlan,
        product: {
          ...aPlan.product,
          content: aProduct.content,
          put_rule: { pricing: 'cpc', price: '9', days: 1 },
        },
        targeting: { regions: ['DE'], languages: [], devices: ['mobile'], interests: ['food'] },
        game_description: 'Match three beans.',
      },
      'bought',
    );
    const card = within(
      (await screen.findByRole('heading', { name: 'Plan details' })).closest(
        'section',
      ) as HTMLElement,
    );
    const ad = within(card.getByRole('figure', { name: 'Preview of the ad' }));
    expect(ad.getByText('Wake up slowly')).toBeVisible();
    expect(ad.getByText('The first bag is on its way today.')).toBeVisible();
    expect(await fact('Type of content')).toBe('Video');
    expect(await fact('Put rule')).toBe('$2.40 per 1,000\u00a0impressions');
    expect(await fact('Runs for at most')).toBe('14 days');
    expect(await fact('Game description')).toBe('Match three beans.');
    expect(await fact('Created')).toMatch(/Nov 10, 2026/);
    expect(await fact('Regions')).toBe('Germany');
    expect(await fact('Languages')).toBe('All languages');
    expect(await fact('Devices')).toBe('Mobile phones');
    expect(await fact('Interests')).toBe('Food');
  });

  it('shows the same of a plan that waits to be put', async () => {
    open({ ...anOffer, targeting: { ...anOffer.targeting, regions: ['DE'] } });
    expect(await screen.findByRole('heading', { name: 'Plan details' })).toBeVisible();
    expect(screen.getByRole('figure', { name: 'Preview of the ad' })).toHaveTextContent(
      'Wake up slowly',
    );
    expect(await fact('Type of content')).toBe('Video · Landing page');
    expect(await fact('Put rule')).toBe('$2.40 per 1,000\u00a0impressions');
    expect(await fact('Created')).toMatch(/Nov 10, 2026/);
    expect(await fact('Regions')).toBe('Germany');
  });

  it.each(['putting', 'waiting_to_put'] as const)(
    'names whom a followed plan follows: %s',
    async (status) => {
      const followed = { origin: 'followed', followed_id: 'OP-1001', official: false } as const;
      open({ ...(status === 'putting' ? aPlan : anOffer), ...followed });
      expect((await screen.findAllByText('From OP-1001, which you follow')).length).toBeGreaterThan(
        0,
      );
      expect(screen.queryByText('Offered to you by the provider.')).toBeNull();
    },
  );

  it('says that a server failed, and not that the connection was lost', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const api = open(aPlan);
    await screen.findByText('334,642');
    api.answer(
      'POST /plan/order/detail',
      () => new Response('', { status: 502, statusText: 'Bad Gateway' }),
    );
    await act(() => vi.advanceTimersByTimeAsync(9000));
    expect(
      (await screen.findAllByText(/^The server cannot answer right now/)).length,
    ).toBeGreaterThan(0);
    expect(screen.queryByText(/connection/i)).toBeNull();
    expect(screen.getByText('334,642')).toBeVisible();
  });

  it('shows what AI delivery measured, with the interval', async () => {
    open({ ...aPlan, ai_delivery: true, ai: anAiDelivery });
    expect(await screen.findByRole('heading', { name: 'AI delivery' })).toBeVisible();
    expect(await fact('Time passed')).toBe('61%');
    const uplift = await screen.findByText('Difference in click rate', { selector: 'dt' });
    expect(uplift.nextElementSibling).toHaveTextContent('+1.22 percentage points');
    expect(screen.getByText(/very likely between \+0.28 and \+1.95/)).toBeVisible();
    expect(screen.queryByText(/may still be chance/)).toBeNull();
    const food = screen.getByRole('progressbar', { name: /Video · Interests: Food/ });
    expect(food).toHaveAttribute('aria-valuenow', '80');
    expect(screen.getByText('Landing page · Everyone else')).toBeVisible();
  });

  it('counts what is used in whole per cent, as the plan does above', async () => {
    const pace = { spent_share: '0.6499', time_share: '0.5999' };
    open({ ...aPlan, ai_delivery: true, ai: { ...anAiDelivery, pace } });
    expect(await fact('Budget used')).toBe('64%');
    expect(await fact('Time passed')).toBe('59%');
  });

  it('says what cannot be said yet', async () => {
    const [, rest] = anAiDelivery.arms;
    if (!rest) throw new Error('two arms');
    open({ ...aPlan, ai_delivery: true, ai: { ...anAiDelivery, arms: [rest], uplift: null } });
    expect(await screen.findByText('Not enough data yet')).toBeVisible();
    expect(screen.getByText('Landing page · Everyone')).toBeVisible();
  });

  it('does not call a difference one that may be chance', async () => {
    const uplift = { click_rate: '0.0010', low: '-0.0050', high: '0.0061' };
    open({ ...aPlan, ai_delivery: true, ai: { ...anAiDelivery, uplift } });
    expect(await screen.findByText(/may still be chance/)).toBeVisible();
  });

  it('shows none of it without AI delivery', async () => {
    open(aPlan);
    await screen.findByText('334,642');
    expect(screen.queryByText('AI delivery')).toBeNull();
  });

  it('puts with AI delivery only where it is switched on', async () => {
    const api = open(anOffer);
    const ai = await screen.findByRole('switch', { name: 'AI delivery' });
    expect(ai).not.toBeChecked();
    expect(ai).toHaveAccessibleDescription(/a better result is not certain/);
    await userEvent.type(screen.getByLabelText('Amount'), '100');
    await userEvent.click(ai);
    await userEvent.click(screen.getByRole('button', { name: 'Put amount' }));
    await enterPassword();
    await waitFor(() =>
      expect(api.to('/plan/order/put')[0]?.body).toMatchObject({ id: '42', ai_delivery: true }),
    );
  });

  it('copies its links', async () => {
    open(aPlan, 'bought');
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Copy: Click link' }));
    expect(await navigator.clipboard.readText()).toBe('https://placard.test/t/c/abc');
    expect(await screen.findByText('Copied')).toBeVisible();
  });

  it('puts an amount on an offer by its own id', async () => {
    const api = open(anOffer);
    await userEvent.type(await screen.findByLabelText('Amount'), '100');
    api.answer('POST /plan/order/detail', () => aPlan);
    await userEvent.click(screen.getByRole('button', { name: 'Put amount' }));
    await enterPassword();
    expect(await screen.findByText('334,642')).toBeVisible();
    expect(api.to('/plan/order/put')[0]?.body).toMatchObject({ id: '42', amount: '100' });
    expect(screen.queryByLabelText('Amount')).toBeNull();
  });

  it('says when there is no such plan', async () => {
    open(aPlan, 'delivery', () => new Refusal(405, 'Not found', { error: 'not_found' }));
    expect(await screen.findByText('Plan not found')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See your plans' })).toHaveAttribute('href', '#/plan');
  });

  it('offers to reload after a lost connection', async () => {
    const api = open(aPlan, 'delivery', lostConnection);
    const reload = await screen.findByRole('button', { name: 'Reload' }, { timeout: 4000 });
    api.answer('POST /plan/order/detail', () => aPlan);
    await userEvent.click(reload);
    expect(await screen.findByText('334,642')).toBeVisible();
  });
});
