import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ListedPlan } from '@/api/types';
import { fakeApi, lostConnection } from '@/testing/api';
import { aProduct, aUser, someStatistics } from '@/testing/data';
import { aListedPlan, aProperty } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';
import { standingOut } from '../queries';

function plan(id: string, profit: string, roi: string | null): ListedPlan {
  const product = { ...aListedPlan.product, name: `Product ${id}` };
  return { ...aListedPlan, id, product, profit, return_on_spend: roi, trend: [profit] };
}

const great = plan('1', '90.00', '0.9');
const good = plan('2', '20.00', '0.2');
const fresh = { ...plan('3', '0.00', null), consumed: '0.00' };
const bad = plan('4', '-10.00', '-0.1');
const worst = plan('5', '-50.00', '-0.5');

const list = 'GET /plan/order/list';

type Asked = { query: URLSearchParams };

/** As the server sorts and limits them. */
function sorted({ query }: Asked, running: ListedPlan[]) {
  const best = [...running].sort((a, b) => Number(b.profit) - Number(a.profit));
  const by = query.get('order') === 'asc' ? best.reverse() : best;
  const items = query.get('sort') === 'newest' ? running.filter(({ id }) => id === '3') : by;
  return { items: items.slice(0, Number(query.get('limit'))), next_cursor: null };
}

function open(answer: (request: Asked) => unknown) {
  const api = fakeApi({
    'GET /user/info': () => aUser,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    'GET /ad/order/data_statistics/list': () => someStatistics,
    'GET /products': () => ({ items: [aProduct], next_cursor: null }),
    'GET /user/property': () => aProperty,
    'GET /activities': () => [],
    [list]: answer,
  });
  renderApp('/ad-center', aUser);
  return api;
}

const card = async () => {
  const heading = await screen.findByRole('heading', { name: 'Running plans' });
  return within(heading.closest('section') as HTMLElement);
};

describe('the running plans', () => {
  it('are the best, the newest and the worst, with their results, and lead to the plan', async () => {
    const six = [good, bad, great, worst, fresh, plan('6', '1.00', '0.01')];
    const { to } = open((request) => sorted(request, six));
    const shown = await card();
    await shown.findByText('Product 1');
    const lines = within(shown.getByRole('list')).getAllByRole('link');
    expect(lines.map((line) => [line.textContent, line.getAttribute('href')])).toEqual([
      ['Product 1 +$90.00 Gain ROI +90.0%', '#/plan/detail?id=1'],
      ['Product 2 +$20.00 Gain ROI +20.0%', '#/plan/detail?id=2'],
      ['Product 3 $0.00 Nothing spent ROI –', '#/plan/detail?id=3'],
      ['Product 4 -$10.00 Loss ROI -10.0%', '#/plan/detail?id=4'],
      ['Product 5 -$50.00 Loss ROI -50.0%', '#/plan/detail?id=5'],
    ]);
    const signs = lines.map((line) => line.querySelector('[data-sign]')?.getAttribute('data-sign'));
    expect(signs).toEqual(['gain', 'gain', 'even', 'loss', 'loss']);
    expect(shown.getByRole('link', { name: 'All plans' })).toHaveAttribute('href', '#/plan');
    const asked = to('/plan/order/list').map(({ query }) => query.get('status'));
    expect(asked).toEqual(['putting', 'putting', 'putting']);
  });

  it('say which of them is paused', async () => {
    open((request) => sorted(request, [good, { ...bad, paused: true }]));
    const lines = within(await (await card()).findByRole('list'));
    expect(lines.getByRole('link', { name: /^Product 4 Paused/ })).toBeVisible();
    expect(lines.getByRole('link', { name: /^Product 2 \+/ })).toBeVisible();
  });

  it('stand after the money and its result, and before the overview', async () => {
    open((request) => sorted(request, [good]));
    await card();
    const order = ['Your money and today', 'Your returns', 'Running plans', 'Data overview'];
    const named = (name: string) =>
      screen.queryByRole('heading', { name }) ?? screen.getByLabelText(name);
    const places = order.map(named);
    for (const [at, place] of places.slice(1).entries()) {
      const before = places[at]?.compareDocumentPosition(place);
      expect(Number(before) & Node.DOCUMENT_POSITION_FOLLOWING, order[at]).toBeTruthy();
    }
  });

  it('are not there where none runs', async () => {
    const { to } = open((request) => sorted(request, []));
    await screen.findByText('Put on plans');
    await waitFor(() => expect(to('/plan/order/list')).toHaveLength(3));
    await waitFor(() =>
      expect(screen.queryByRole('heading', { name: 'Running plans' })).toBeNull(),
    );
  });

  it('can be asked for again when that failed', async () => {
    open(lostConnection);
    const shown = await card();
    expect(await shown.findByRole('button', { name: /reload/i })).toBeVisible();
  });
});

describe('plans that stand out', () => {
  it('are named once, however few there are', () => {
    const named = (found: Parameters<typeof standingOut>[0]) =>
      standingOut(found).map(({ id }) => id);
    expect(named({ best: [good], newest: [good], worst: [good] })).toEqual(['2']);
    expect(named({ best: [great, good], newest: [good], worst: [good, great] })).toEqual([
      '1',
      '2',
    ]);
    expect(named({ best: [great, good], newest: [great], worst: [worst, good] })).toEqual([
      '1',
      '2',
      '5',
    ]);
  });
});
