import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { FlowSum } from '@/api/types';
import { flowPath } from '@/shared/money/flow-path';
import { fakeApi, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aFlow, aPlan, aProperty, aStatement } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

const stretch = {
  from: new Date(2026, 10, 12).toISOString(),
  until: new Date(2026, 10, 13).toISOString(),
};
const aSum: FlowSum = { available: '0.00', held: '-61.05', promotional: '0.00', lines: 5760 };

function open(path: string, sum: FlowSum | null = aSum) {
  const api = fakeApi({
    'GET /user/property': () => aProperty,
    'GET /user/recharges': () => ({ items: [], next_cursor: null }),
    'GET /transaction_flow/list': ({ query }) => ({
      ...aStatement,
      items: [aFlow],
      sum: query.get('from') || query.get('plan_id') ? sum : null,
    }),
    'POST /plan/order/detail': () => aPlan,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(path, aUser);
  return api;
}

const chip = (name: string) => screen.findByRole('button', { name: `${name}, remove filter` });

async function pickMonth(name: RegExp) {
  await userEvent.click(screen.getByRole('button', { name: /^Month:/ }));
  const sheet = within(screen.getByRole('dialog', { name: 'Month' }));
  await userEvent.click((await sheet.findAllByRole('radio', { name }))[0] as HTMLElement);
  await userEvent.click(sheet.getByRole('button', { name: 'Choose' }));
}

describe('the lines of a stretch of time and of a plan', () => {
  it('are asked for as the address says, and summed up by what they are on', async () => {
    const api = open(flowPath({ stretch, plan: '42', kind: 'ad_billing' }));
    expect(await chip('Nov 12, 2026')).toBeVisible();
    expect(await chip('Plan P7KQ2M9XRT')).toBeVisible();
    const asked = api.to('/transaction_flow/list').map(({ query }) => Object.fromEntries(query));
    expect(asked).toContainEqual({ ...stretch, plan_id: '42', kind: 'ad_billing' });
    const sum = await screen.findByText('Sum of 5,760 lines');
    expect(sum.nextElementSibling).toHaveTextContent('From the plan’s budget-$61.05');
    expect(sum.nextElementSibling).not.toHaveTextContent('Available');
    // The months' totals would not match these lines.
    expect(screen.queryByText(/^income/)).toBeNull();
    expect(screen.queryByRole('button', { name: /^Nov: Income/ })).toBeNull();
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
    expect(await screen.findByRole('button', { name: /^Nov: Income/ })).toBeVisible();
    const last = api.to('/transaction_flow/list').map(({ query }) => Object.fromEntries(query));
    expect(last).toContainEqual({ plan_id: '42' });
  });

  it('give way to a month that is picked, which keeps the plan', async () => {
    open(flowPath({ stretch, plan: '42', kind: 'settlement' }));
    await chip('Nov 12, 2026');
    await pickMonth(/\d{4}$/);
    await waitFor(() =>
      expect(address()).toMatch(/^\/wallet\?month=\d{4}-\d\d&plan=42&kind=settlement$/),
    );
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Nov 12/ })).toBeNull());
  });

  it('show every account that they moved, and nothing where there are none', async () => {
    open(flowPath({ plan: '42' }), {
      available: '-15.00',
      held: '2.00',
      promotional: '-3.00',
      lines: 1,
    });
    const sum = (await screen.findByText('Sum of 1 line')).nextElementSibling;
    expect(sum).toHaveTextContent('Available funds-$15.00');
    expect(sum).toHaveTextContent('From the plan’s budget+$2.00');
    expect(sum).toHaveTextContent('Promotional credit-$3.00');
  });

  it('have no sum where the server gives none', async () => {
    open(flowPath({ plan: '42' }), null);
    await chip('Plan P7KQ2M9XRT');
    await screen.findByRole('button', { name: /Ad serving/ });
    expect(screen.queryByText(/^Sum of/)).toBeNull();
  });

  it('ignore what is no stretch, and name a plan that is not there by no number', async () => {
    const api = fakeApi({
      'GET /user/property': () => aProperty,
      'GET /user/recharges': () => ({ items: [], next_cursor: null }),
      'GET /transaction_flow/list': ({ query }) =>
        query.get('plan_id') ? new Refusal(405, 'Not found', { error: 'not_found' }) : aStatement,
      'POST /plan/order/detail': () => new Refusal(405, 'Not found', { error: 'not_found' }),
      'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    });
    renderApp(`/wallet?from=${stretch.until}&until=${stretch.from}&plan=999`, aUser);
    expect(await chip('One plan')).toBeVisible();
    expect(screen.getAllByRole('button', { name: /remove filter$/ })).toHaveLength(1);
    expect(api.to('/transaction_flow/list').some(({ query }) => query.has('from'))).toBe(false);
    await userEvent.click(await chip('One plan'));
    expect(await screen.findByRole('button', { name: /Ad serving/ })).toBeVisible();
  });
});
