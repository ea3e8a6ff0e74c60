import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteServerTime } from '@/api/server-clock';
import type { DaysPage, FlowRow, FlowSum } from '@/api/types';
import { flowPath } from '@/shared/money/flow-path';
import { fakeApi, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { fundingRow } from '@/testing/funding-row';
import {
  aBilledDay,
  aDaysPage,
  aFlow,
  aFlowRow,
  aPlan,
  aProperty,
  aStatement,
  noRechargeForm,
} from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

const stretch = {
  from: new Date(2026, 10, 12).toISOString(),
  until: new Date(2026, 10, 13).toISOString(),
};
const aSum: FlowSum = {
  available: '0.00',
  held: '-61.05',
  held_by_platform: '0.00',
  promotional: '0.00',
  lines: 5760,
};

function open(path: string, sum: FlowSum | null = aSum, page: Partial<DaysPage> = {}) {
  const api = fakeApi({
    'GET /user/property': () => aProperty,
    'GET /user/recharges': () => ({ items: [], next_cursor: null }),
    'GET /user/recharge/announcements': () => noRechargeForm,
    'GET /transaction_flow/by_day': ({ query }) => ({
      ...aDaysPage,
      sum: query.get('from') || query.get('plan_id') ? sum : null,
      ...page,
    }),
    'POST /plan/order/detail': () => aPlan,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(path, aUser);
  return api;
}

const withRows = (...items: FlowRow[]) => ({ items });
const asked = (api: ReturnType<typeof open>) =>
  api.to('/transaction_flow/by_day').map(({ query }) => Object.fromEntries(query));

const chip = (name: string) => screen.findByRole('button', { name: `${name}, remove filter` });

async function pickMonth(name: RegExp) {
  await userEvent.click(await screen.findByRole('button', { name: /^Month:/ }));
  const sheet = within(screen.getByRole('dialog', { name: 'Month' }));
  await userEvent.click(await sheet.findByRole('button', { name }));
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 10, 21, 12), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  noteServerTime(new Date().toUTCString());
});

describe('the lines of a stretch of time and of a plan', () => {
  it('are asked for as the address says, and summed up by what they are on', async () => {
    const api = open(flowPath({ stretch, plan: '42', kind: 'ad_billing' }));
    expect(await chip('Nov 12, 2026')).toBeVisible();
    expect(await chip('Plan P7KQ2M9XRT')).toBeVisible();
    expect(asked(api)).toContainEqual({ ...stretch, plan_id: '42', kind: 'ad_billing' });
    const sum = await screen.findByText('Sum of 5,760 lines');
    expect(sum.nextElementSibling).toHaveTextContent('From the plan’s budget-$61.05');
    expect(sum.nextElementSibling).not.toHaveTextContent('Available');
    // The months' totals would not match these lines.
    expect(screen.queryByText(/^income/)).toBeNull();
    expect(screen.queryByRole('button', { name: /^Nov: Money in/ })).toBeNull();
  });

  it('widen by each chip that is removed, and keep the focus near', async () => {
    const api = open(flowPath({ stretch, plan: '42' }));
    await userEvent.click(await chip('Nov 12, 2026'));
    await waitFor(() => expect(address()).toBe('/wallet?plan=42'));
    expect(document.activeElement).toHaveTextContent(/^Funding details/);
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Nov 12/ })).toBeNull());
    await userEvent.click(await chip('Plan P7KQ2M9XRT'));
    await waitFor(() => expect(address()).toBe('/wallet'));
    await waitFor(() => expect(screen.queryByText('Sum of 5,760 lines')).toBeNull());
    expect(await screen.findByRole('button', { name: /^Nov: Money in/ })).toBeVisible();
    expect(asked(api)).toContainEqual({ plan_id: '42' });
  });

  it('give way to a month that is picked, which keeps the plan', async () => {
    open(flowPath({ stretch, plan: '42', kind: 'settlement' }));
    await chip('Nov 12, 2026');
    await pickMonth(/^October 2026$/);
    await waitFor(() => expect(address()).toBe('/wallet?month=2026-10&plan=42&kind=settlement'));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Nov 12/ })).toBeNull());
  });

  it('are of the server’s months where the device’s clock is a month behind', async () => {
    noteServerTime(new Date(2026, 11, 21, 12).toUTCString());
    open(flowPath({ plan: '42' }));
    await pickMonth(/^December 2026$/);
    await waitFor(() => expect(address()).toBe('/wallet?month=2026-12&plan=42'));
  });

  it('show every account that they moved, and what of it was not the user’s', async () => {
    open(flowPath({ plan: '42' }), {
      available: '-15.00',
      held: '-12.00',
      held_by_platform: '-7.00',
      promotional: '-3.00',
      lines: 1,
    });
    const sum = (await screen.findByText('Sum of 1 line')).parentElement;
    expect(sum).toHaveTextContent('Available funds-$15.00');
    expect(sum).toHaveTextContent('From the plan’s budget-$12.00');
    expect(sum).toHaveTextContent('Promotional credit-$3.00');
    expect(sum).toHaveTextContent('From coupons and promotional credit: -$7.00');
  });

  it('have no sum where the server gives none', async () => {
    open(flowPath({ plan: '42' }), null);
    await chip('Plan P7KQ2M9XRT');
    await fundingRow(/Budget set aside/);
    expect(screen.queryByText(/^Sum of/)).toBeNull();
  });

  it('ignore what is no stretch, and name a plan that is not there by no number', async () => {
    const api = fakeApi({
      'GET /user/property': () => aProperty,
      'GET /user/recharges': () => ({ items: [], next_cursor: null }),
      'GET /user/recharge/announcements': () => noRechargeForm,
      'GET /transaction_flow/by_day': ({ query }) =>
        query.get('plan_id') ? new Refusal(405, 'Not found', { error: 'not_found' }) : aDaysPage,
      'POST /plan/order/detail': () => new Refusal(405, 'Not found', { error: 'not_found' }),
      'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    });
    renderApp(`/wallet?from=${stretch.until}&until=${stretch.from}&plan=999`, aUser);
    expect(await chip('One plan')).toBeVisible();
    expect(screen.getAllByRole('button', { name: /remove filter$/ })).toHaveLength(1);
    expect(asked(api).some((query) => 'from' in query)).toBe(false);
    await userEvent.click(await chip('One plan'));
    expect(await fundingRow(/Budget set aside/)).toBeVisible();
  });
});

describe('money back for events', () => {
  it('says why, and leads to the events', async () => {
    const line = {
      ...aFlow,
      id: 'r1',
      kind: 'refund',
      amount: '20.00',
      remark: 'clicks by a script',
      ref: { type: 'delivery_refund', id: '7' },
    } as const;
    open('/wallet', null, withRows({ ...aFlowRow, id: 'r1', plan: aBilledDay.plan, line }));
    await userEvent.click(await fundingRow(/Refund/));
    const sheet = within(await screen.findByRole('dialog', { name: 'Refund' }));
    expect(sheet.getByText('clicks by a script')).toBeVisible();
    expect(sheet.getByRole('link', { name: 'See the events' })).toHaveAttribute(
      'href',
      '#/plan/events?plan=42&kind=impression&verdict=counted&line=r1',
    );
  });
});

describe('a day of billing', () => {
  it('is one row with the user’s own part, opened to the bills that it is the sum of', async () => {
    const api = open('/wallet', aSum, withRows(aBilledDay));
    const bill = { ...aFlow, id: 'b1', kind: 'ad_billing', account: 'held' } as const;
    api.answer('GET /transaction_flow/list', () => ({
      ...aStatement,
      items: [
        { ...bill, amount: '-56.05', source: 'available' },
        { ...bill, id: 'b2', amount: '-5.00', source: 'coupon' },
      ],
      sum: { ...aSum, held_by_platform: '-5.00', lines: 2 },
    }));
    const row = await fundingRow(/^Aurora Coffee/);
    expect(row).toHaveTextContent('Ad billing P7KQ2M9XRT');
    expect(row).toHaveTextContent('5,760 charges');
    expect(row).toHaveTextContent('-$56.05');
    expect(row).toHaveTextContent('Coupon: $5.00');
    await userEvent.click(row);
    const sheet = within(await screen.findByRole('dialog', { name: 'Ad billing' }));
    const bills = await sheet.findByRole('list', { name: 'Charges of the day' });
    const parts = within(bills).getAllByRole('listitem');
    expect(parts[0]).toHaveTextContent('-$56.05');
    expect(parts[1]).toHaveTextContent('Coupon, not your own money$5.00');
    const charge = within(bills).getAllByRole('link', { name: /All events in this charge$/ })[0];
    const itsEvents = '#/plan/events?plan=42&kind=impression&verdict=counted&line=b1';
    expect(charge).toHaveAttribute('href', itsEvents);
    expect(sheet.getByText('Sum of 2 lines').nextElementSibling).toHaveTextContent('-$61.05');
    const { from, until } = aBilledDay.billing ?? {};
    expect(Object.fromEntries(api.to('/transaction_flow/list')[0]?.query ?? [])).toEqual({
      plan_id: '42',
      kind: 'ad_billing',
      from,
      until,
    });
    expect(sheet.getByRole('link', { name: 'Open the plan' })).toHaveAttribute(
      'href',
      '#/plan/detail?id=42',
    );
  });

  it('leads to the clicks that were charged, where a plan is billed by click', async () => {
    const plan = aBilledDay.plan && { ...aBilledDay.plan, pricing: 'cpc' as const };
    const api = open('/wallet', null, withRows({ ...aBilledDay, plan }));
    const bill = { ...aFlow, id: 'b1', kind: 'ad_billing', account: 'held' } as const;
    api.answer('GET /transaction_flow/list', () => ({ ...aStatement, items: [bill] }));
    await userEvent.click(await fundingRow(/^Aurora Coffee/));
    const charge = await screen.findByRole('link', { name: /All events in this charge$/ });
    const itsEvents = '#/plan/events?plan=42&kind=click&verdict=counted&line=b1';
    expect(charge).toHaveAttribute('href', itsEvents);
  });

  it('paid by a coupon alone is not taken for the user’s money', async () => {
    const billing = { ...aBilledDay.billing, amount: '-5.00', own: '0.00', lines: 1 };
    open('/wallet', null, withRows({ ...aBilledDay, billing } as FlowRow));
    const row = await fundingRow(/^Aurora Coffee/);
    expect(row).toHaveTextContent('Coupon, not your own money');
    expect(row).not.toHaveTextContent('-$5.00');
    expect(row).not.toHaveTextContent('From the plan’s budget');
  });
});

describe('a coupon’s part of a budget', () => {
  it('has no sign, and says whose it is', async () => {
    const line = { ...aFlow, kind: 'coupon', account: 'held', amount: '7.00' } as const;
    open('/wallet', null, withRows({ ...aFlowRow, line: { ...line, source: 'coupon' } }));
    const row = await fundingRow(/^Aurora Coffee/);
    expect(row).toHaveTextContent('Coupon, not your own money');
    expect(row).not.toHaveTextContent('+$7.00');
    // Nothing changed what is available.
    expect(row).not.toHaveTextContent('Available');
    await userEvent.click(row);
    const sheet = within(screen.getByRole('dialog', { name: 'Coupon' }));
    expect(sheet.getByText(/was never in your available funds/)).toBeVisible();
  });
});

describe('what was added to a plan', () => {
  it('is told apart from the put, in the row and in its sheet', async () => {
    const later = { ...aFlowRow, id: 'f2', line: { ...aFlow, id: 'f2', added: true } };
    open('/wallet', null, withRows(later, aFlowRow));
    const [added, put] = await screen.findAllByRole('button', { name: /^Aurora Coffee/ });
    expect(added).toHaveTextContent('Added to a plan P7KQ2M9XRT');
    expect(put).toHaveTextContent('Budget set aside P7KQ2M9XRT');
    await userEvent.click(added as HTMLElement);
    const sheet = within(screen.getByRole('dialog', { name: 'Added to a plan' }));
    expect(sheet.getByText(/a plan that was running already/)).toBeVisible();
    expect(sheet.getByRole('link')).toHaveAttribute('href', '#/plan/detail?id=42');
  });
});

describe('what is listed', () => {
  it('is chosen among money in, money out and the kinds that there are', async () => {
    const api = open('/wallet');
    const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent);
    await waitFor(() =>
      expect(tabs()).toEqual([
        'All',
        'Money in',
        'Money out',
        'System top-up',
        'Budget set aside',
        'Ad billing',
        'Settlement',
        'Refund',
      ]),
    );
    await userEvent.click(screen.getByRole('tab', { name: 'Money in' }));
    expect(address()).toBe('/wallet?direction=in');
    expect(await screen.findByText(/Refunds are left out/)).toBeVisible();
    await userEvent.keyboard('{ArrowRight}');
    await waitFor(() => expect(address()).toBe('/wallet?direction=out'));
    expect(await screen.findByText(/Charges for ads are left out/)).toBeVisible();
    await waitFor(() => expect(asked(api)).toContainEqual({ direction: 'out' }));
    await userEvent.click(screen.getByRole('tab', { name: 'Refund' }));
    await waitFor(() => expect(address()).toBe('/wallet?kind=refund'));
    await waitFor(() => expect(asked(api)).toContainEqual({ kind: 'refund' }));
  });

  it('offers the months since the account exists, at one press while they are few', async () => {
    open('/wallet');
    await userEvent.click(await screen.findByRole('button', { name: 'Month: All months' }));
    const sheet = within(screen.getByRole('dialog', { name: 'Month' }));
    const months = sheet.getAllByRole('button').map(({ textContent }) => textContent);
    expect(months.filter(Boolean)).toEqual(['All months', 'November 2026', 'October 2026']);
    expect(sheet.getByRole('button', { current: true })).toHaveTextContent('All months');
    await userEvent.click(sheet.getByRole('button', { name: 'October 2026' }));
    await waitFor(() => expect(address()).toBe('/wallet?month=2026-10'));
  });

  it('offers many months on a wheel, since they have an order', async () => {
    const choices = { ...aDaysPage.choices, first_month: '2026-02' } as DaysPage['choices'];
    open('/wallet', null, { choices });
    await waitFor(() => expect(screen.getAllByRole('tab').length).toBeGreaterThan(3));
    await userEvent.click(screen.getByRole('button', { name: /^Month:/ }));
    const sheet = within(screen.getByRole('dialog', { name: 'Month' }));
    const months = await sheet.findAllByRole('radio');
    expect(months).toHaveLength(11);
    await userEvent.click(sheet.getByRole('radio', { name: 'February 2026' }));
    await userEvent.click(sheet.getByRole('button', { name: 'Choose' }));
    await waitFor(() => expect(address()).toBe('/wallet?month=2026-02'));
  });
});

describe('searching', () => {
  const field = () => screen.findByRole('searchbox', { name: /^Search by amount/ });

  it('asks once somebody has stopped typing, and at once with Enter', async () => {
    const api = open('/wallet');
    await userEvent.type(await field(), '61.05');
    await waitFor(() => expect(address()).toBe('/wallet?search=61.05'));
    await waitFor(() => expect(asked(api)).toContainEqual({ search: '61.05' }));
    // Not for what was typed on the way.
    expect(asked(api).filter((query) => 'search' in query)).toHaveLength(1);
    await userEvent.clear(await field());
    await userEvent.type(await field(), 'coffee{Enter}');
    expect(address()).toBe('/wallet?search=coffee');
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(address()).toBe('/wallet');
    expect(await field()).toHaveFocus();
  });

  it('takes nothing back that was chosen while somebody typed', async () => {
    open('/wallet');
    fireEvent.change(await field(), { target: { value: 'coffee' } });
    fireEvent.click(screen.getByRole('tab', { name: 'Money out' }));
    await waitFor(() => expect(address()).toBe('/wallet?direction=out&search=coffee'));
  });

  it('says when nothing was found, and what to try', async () => {
    open('/wallet?search=nothing', null, withRows());
    expect(await screen.findByText('Nothing matches')).toBeVisible();
    expect(screen.getByText(/only a part of the name or reference/)).toBeVisible();
  });

  it('goes on while the server has found nothing in a part of the past', async () => {
    const api = open('/wallet');
    api.answer('GET /transaction_flow/by_day', ({ query }) => {
      if (!query.has('search')) return aDaysPage;
      const last = query.get('cursor') === 'c2';
      return {
        ...aDaysPage,
        items: last ? [aFlowRow] : [],
        next_cursor: last ? null : query.has('cursor') ? 'c2' : 'c1',
      };
    });
    await userEvent.type(await field(), 'aurora{Enter}');
    await waitFor(() =>
      expect(asked(api).map(({ cursor }) => cursor)).toEqual(
        expect.arrayContaining([undefined, 'c1', 'c2']),
      ),
    );
    expect(await fundingRow(/^Aurora Coffee/)).toBeVisible();
  });
});

describe('a month', () => {
  it('is shown without refunds, and says so', async () => {
    open('/wallet?month=2026-11');
    const sums = await screen.findByText('+$6,300.00');
    expect(sums).toBeVisible();
    expect(screen.getByText('-$1,102.23')).toBeVisible();
    expect(screen.getByText(/^Both exclude refunds of \$634.86, which/)).toBeVisible();
  });

  it('in which more came back than left has an expense below zero', async () => {
    const [november] = aStatement.months;
    const month = { ...november, net_expense: '-95.00' } as DaysPage['months'][number];
    open('/wallet?month=2026-11', null, { months: [month] });
    expect(await screen.findByText('+$95.00')).toBeVisible();
  });
});

describe('a kind whose name says little', () => {
  const about = 'Money you put on a plan, set aside as its budget.';
  const row = (id: string): FlowRow => ({
    ...aFlowRow,
    id,
    line: aFlowRow.line && { ...aFlowRow.line, id },
  });

  it('is explained where it stands first, and only there', async () => {
    open('/wallet', null, withRows(row('1'), row('2')));
    const list = within(await screen.findByRole('list', { name: 'Funding details' }));
    const [first, second] = list.getAllByRole('button', { name: /Budget set aside/ });
    expect(first).toHaveTextContent(about);
    expect(second).not.toHaveTextContent(about);
  });

  it('is chosen where the address comes to name it', async () => {
    open('/wallet?kind=ad_serving', null, withRows(row('1')));
    await screen.findByRole('tab', { name: 'Budget set aside', selected: true });
    window.location.hash = '#/wallet?kind=refund';
    await screen.findByRole('tab', { name: 'Refund', selected: true });
    expect(screen.getByRole('tab', { name: 'All', selected: false })).toBeVisible();
    expect(screen.getAllByRole('tab', { selected: true })).toHaveLength(1);
  });

  it('is explained above the rows if there are no others', async () => {
    open('/wallet?kind=ad_serving', null, withRows(row('1')));
    expect(await fundingRow(/Budget set aside/)).not.toHaveTextContent(about);
    expect(screen.getByText(about)).toBeVisible();
  });
});
