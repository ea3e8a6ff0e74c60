import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { fakeApi } from '@/testing/api';
import { noResults } from '@/testing/compare-data';
import { aUser } from '@/testing/data';
import { aSeries } from '@/testing/event-data';
import {
  aDaysPage,
  aFlowRow,
  aListedPlan,
  aPlan,
  aProductToPut,
  aProperty,
  noRechargeForm,
} from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

const pages = 3;

/** Pages of items, with the page's number in each id. */
function paged<T>(items: (page: number) => T[]) {
  return ({ query }: { query: URLSearchParams }) => {
    const page = Number(query.get('cursor') ?? 1);
    return { items: items(page), next_cursor: page < pages ? String(page + 1) : null };
  };
}

function api() {
  const plans = paged((page) => [1, 2].map((at) => ({ ...aListedPlan, id: `p${page}${at}` })));
  const rows = paged((page) => {
    const plan = { id: '42', number: 'P7KQ2M9XRT', product: `Line ${page}` };
    return [{ ...aFlowRow, id: `f${page}`, plan }];
  });
  return fakeApi({
    'GET /plan/order/list': plans,
    'POST /plan/order/detail': () => aPlan,
    'GET /plan/order/series': () => aSeries,
    'POST /plan/order/await/put/count': () => ({ count: 0 }),
    'GET /products': paged((page) => [{ ...aProductToPut, id: `x${page}`, name: `Cup ${page}` }]),
    'GET /plan/product/results': () => noResults,
    'POST /plan/order/app/detail': () => aProductToPut,
    'GET /user/property': () => aProperty,
    'GET /transaction_flow/by_day': (sent) => ({ ...aDaysPage, ...rows(sent) }),
    'GET /user/recharges': () => ({ items: [], next_cursor: null }),
    'GET /user/recharge/announcements': () => noRechargeForm,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
}

/** The lowest scroll position that the page allows. */
let reachable = Number.POSITIVE_INFINITY;

function scrollTo(top: number) {
  window.scrollY = Math.min(top, reachable);
  window.dispatchEvent(new Event('scroll'));
}

// To compile a page takes a busy machine longer than anything waits for it.
beforeAll(async () => {
  await import('@/features/plans/detail/PlanDetailPage');
}, 120_000);

beforeEach(() => {
  reachable = Number.POSITIVE_INFINITY;
  window.scrollY = 0;
  window.scrollTo = ((_: number, top: number) => scrollTo(top)) as typeof window.scrollTo;
});

async function readOn(name: string) {
  const list = await screen.findByRole('list', { name });
  for (let page = 1; page < pages; page += 1) {
    const before = within(list).getAllByRole('listitem').length;
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }));
    await waitFor(() =>
      expect(within(list).getAllByRole('listitem').length).toBeGreaterThan(before),
    );
  }
  return list;
}

const goBack = async () => userEvent.click(await screen.findByRole('button', { name: 'Back' }));

async function openLastPlan() {
  renderApp('/plan', aUser);
  const list = await readOn('Plans');
  scrollTo(1400);
  await userEvent.click(within(list).getAllByRole('link').at(-1) as HTMLElement);
  await waitFor(() => expect(address()).toBe('/plan/detail?id=p32'));
  await screen.findByRole('button', { name: 'Copy plan number' });
}

describe('a list that one comes back to', () => {
  it('is as long, as far down, and has the focus on what was opened', async () => {
    api();
    await openLastPlan();
    expect(window.scrollY).toBe(0);
    await goBack();
    const list = await screen.findByRole('list', { name: 'Plans' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(2 * pages);
    expect(window.scrollY).toBe(1400);
    expect(within(list).getAllByRole('link').at(-1)).toHaveFocus();
  });

  it('waits until the page is long enough, unless somebody acts', async () => {
    api();
    await openLastPlan();
    reachable = 200;
    await goBack();
    await screen.findByRole('list', { name: 'Plans' });
    expect(window.scrollY).toBe(200);
    reachable = 5000;
    act(() => void document.body.append('more'));
    await waitFor(() => expect(window.scrollY).toBe(1400));
    // Once the position is restored, it no longer interferes.
    scrollTo(10);
    act(() => void document.body.append('still more'));
    await act(async () => {});
    expect(window.scrollY).toBe(10);
  });

  it('is left alone by who touches it meanwhile', async () => {
    api();
    await openLastPlan();
    reachable = 200;
    await goBack();
    await screen.findByRole('list', { name: 'Plans' });
    window.dispatchEvent(new Event('touchstart'));
    reachable = 5000;
    act(() => void document.body.append('more'));
    await act(async () => {});
    expect(window.scrollY).toBe(200);
  });

  it('begins at its top when it is opened anew, and for somebody else', async () => {
    api();
    await openLastPlan();
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    await screen.findByRole('list', { name: 'Plans' });
    await userEvent.click(screen.getByRole('link', { name: 'Wallet' }));
    await screen.findByRole('region', { name: 'Total assets' });
    expect(window.scrollY).toBe(0);
    scrollTo(700);
    await userEvent.click(screen.getByRole('link', { name: 'Plans' }));
    await screen.findByRole('list', { name: 'Plans' });
    expect(window.scrollY).toBe(0);

    scrollTo(900);
    await userEvent.click(screen.getAllByRole('link', { name: /Aurora/ })[0] as HTMLElement);
    await screen.findByRole('button', { name: 'Copy plan number' });
    act(() => session.signIn({ token: 'another', user: { ...aUser, id: 'another' } }));
    await goBack();
    await screen.findByRole('list', { name: 'Plans' });
    expect(window.scrollY).toBe(0);
  });

  it('stays where it is when only its tab changes', async () => {
    api();
    renderApp('/plan', aUser);
    await readOn('Plans');
    scrollTo(300);
    await userEvent.click(screen.getByRole('tab', { name: 'Putting' }));
    await waitFor(() => expect(address()).toBe('/plan?status=putting'));
    expect(window.scrollY).toBe(300);
  });
});

describe('what is open on a page that one comes back to', () => {
  it('is the sheet with the products, at the one that was opened', async () => {
    api();
    renderApp('/plan', aUser);
    await userEvent.click(await screen.findByRole('button', { name: 'Start a plan' }));
    const sheet = await screen.findByRole('dialog', { name: 'Choose a product' });
    await userEvent.click(await within(sheet).findByRole('link', { name: /Cup 1/ }));
    await waitFor(() => expect(address()).toBe('/plan/goods-detail?id=x1'));
    await screen.findByRole('button', { name: 'Put amount' });
    await goBack();
    const again = await screen.findByRole('dialog', { name: 'Choose a product' });
    expect(within(again).getByRole('link', { name: /Cup 1/ })).toHaveFocus();
  });

  it('is the kind that the statement was filtered by, at the line that was opened', async () => {
    const { to } = api();
    renderApp('/wallet?kind=ad_serving', aUser);
    await readOn('Funding details');
    await userEvent.click(screen.getByRole('button', { name: /Line 2/ }));
    await userEvent.click(await screen.findByRole('link', { name: 'Open the plan' }));
    await waitFor(() => expect(address()).toContain('/plan/detail'));
    await screen.findByRole('button', { name: 'Copy plan number' });
    await goBack();
    expect(await screen.findByRole('button', { name: /Line 2/ })).toHaveFocus();
    expect(screen.getByRole('button', { name: /Line 3/ })).toBeVisible();
    expect(to('/transaction_flow/by_day').map(({ query }) => query.get('kind'))).toContain(
      'ad_serving',
    );
  });
});
