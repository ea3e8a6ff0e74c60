import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Compared } from '@/api/types';
import { barAnswers } from '@/testing/answers';
import { fakeApi, lostConnection, Refusal, type Sent } from '@/testing/api';
import { aComparedPlan } from '@/testing/compare-data';
import { aUser } from '@/testing/data';

import { address, renderApp } from '@/testing/render-app';

const products = [
  { id: '7', name: 'Aurora Coffee' },
  { id: '8', name: 'Bora Tea' },
  { id: '9', name: 'Cirrus Cocoa' },
];
const ratios = { ...aComparedPlan.ratios, profit: '-12.00', return_on_spend: '-0.100000' };

function planOf(id: string): Compared {
  const plan = { id, plan_no: `P${id}`, status: 'settled' as const, paused: false };
  return { ...aComparedPlan, plan, ratios: id === '42' ? aComparedPlan.ratios : ratios };
}

function productOf(id: string): Compared {
  const product = products.find((one) => one.id === id) ?? { id, name: id };
  return { ...aComparedPlan, product, plan: null, plans: Number(id), trend: [] };
}

/** As the server answers, in the order in which they are named. */
function compared({ query }: Sent) {
  const [ids, named] = [query.get('ids'), query.get('products')];
  return { items: ids ? ids.split(',').map(planOf) : named?.split(',').map(productOf) };
}

function open(query: string, answer: (sent: Sent) => unknown = compared) {
  const api = fakeApi({
    ...barAnswers,
    'GET /plan/compare': answer,
    'GET /plan/order/list': () => ({ items: [], next_cursor: null, choices: { products } }),
  });
  renderApp(`/plan/compare?${query}`, aUser);
  return api;
}

const table = async () => within(await screen.findByRole('table'));
const heads = async () =>
  (await table()).getAllByRole('columnheader').map(({ textContent }) => textContent);

async function add(name: string) {
  await userEvent.click(await screen.findByRole('button', { name: /^Compare with/ }));
  await userEvent.click(await screen.findByRole('button', { name }));
}

describe('the comparison', () => {
  it('has each plan with its way, its course and its figures, the best with a word', async () => {
    open('ids=43,42');
    const shown = await table();
    const links = shown.getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '#/plan/detail?id=43',
      '#/plan/detail?id=42',
    ]);
    const row = within(shown.getByRole('row', { name: /^Profit/ })).getAllByRole('cell');
    expect(row.map(({ textContent }) => textContent)).toEqual(['-$12.00Loss', '+$159.81Gain Best']);
    expect(document.querySelectorAll('table svg[aria-hidden=true] path').length).toBeGreaterThan(3);
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  });

  it('can be scrolled by keys', async () => {
    open('ids=42,43');
    const region = await screen.findByRole('region', { name: 'Figures side by side' });
    expect(region).toHaveAttribute('tabindex', '0');
  });

  it.each(['ids=42', 'ids=1,2,3,4,5', 'products=1,2,3,4,5', ''])(
    'asks for nothing with "%s", and says how many can be compared',
    async (query) => {
      const api = open(query);
      expect(await screen.findByText('Compare two to four at a time')).toBeVisible();
      expect(screen.getByText('See your plans')).toBeVisible();
      expect(api.to('/plan/compare')).toEqual([]);
    },
  );

  it('begins with one product, and takes others in and out', async () => {
    open('products=7');
    expect(await screen.findByRole('heading', { name: 'Aurora Coffee' })).toBeVisible();
    await add('Bora Tea');
    expect(await heads()).toEqual(['Figure', 'Aurora Coffee', 'Bora Tea']);
    expect(screen.queryByRole('heading', { name: 'Aurora Coffee' })).toBeNull();
    expect(address()).toBe('/plan/compare?products=7,8');
    expect((await table()).getByRole('row', { name: /^Plans/ })).toHaveTextContent('Plans78');
    await add('Cirrus Cocoa');
    await waitFor(async () => expect(await heads()).toHaveLength(4));
    await screen.findByText(/no other product/);
    await userEvent.click(screen.getByRole('button', { name: 'Remove Aurora Coffee' }));
    await waitFor(async () =>
      expect(await heads()).toEqual(['Figure', 'Bora Tea', 'Cirrus Cocoa']),
    );
  });

  it.each([
    ['ids=42,99', 'Plan not found'],
    ['products=7,99', 'This product is no longer offered'],
  ])('says that one of %s is gone', async (query, told) => {
    open(query, () => new Refusal(405, '', { error: 'not_found' }));
    expect(await screen.findByText(told)).toBeVisible();
  });

  it('says that it could not be read', async () => {
    open('ids=42,43', lostConnection);
    expect(await screen.findByRole('alert')).toHaveTextContent('Request failed');
  });
});
