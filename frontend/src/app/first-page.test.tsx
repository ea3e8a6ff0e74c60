import { render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cacheConfig, reloadConfig } from '@/api/queries/cached-config';
import { queryClient } from '@/api/query-client';
import { session } from '@/api/session';
import { showLanguage } from '@/i18n/texts';
import { fakeApi, lostConnection } from '@/testing/api';
import { aComparedPlan } from '@/testing/compare-data';
import { aConfig, aProduct, aUser, someStatistics } from '@/testing/data';
import { anEvent, anEventDetail, aSeries } from '@/testing/event-data';
import {
  aBankCard,
  aCoupon,
  aDaysPage,
  aLevel,
  aListedPlan,
  anActivity,
  aPlan,
  aProductToPut,
  aProperty,
  noRechargeForm,
} from '@/testing/money-data';
import { aReport } from '@/testing/report-data';
import { App } from './App';
import { openFirstPage } from './router';
import { type Route, routeAt, routes } from './routes';

const page = <T,>(...items: T[]) => ({ items, next_cursor: null });
const answers = {
  'GET /basic_config': () => aConfig,
  'GET /user/info': () => aUser,
  'GET /user/property': () => aProperty,
  'GET /user/sessions': () => [],
  'GET /user/push': () => [],
  'GET /transaction_flow/by_day': () => aDaysPage,
  'GET /user/recharges': () => page(),
  'GET /user/recharge/announcements': () => noRechargeForm,
  'GET /customer/messages': () => ({ ...page(), status: null, unread: 0 }),
  'GET /ad/order/data_statistics/list': () => someStatistics,
  'GET /products': () => page(aProduct),
  'GET /plan/order/list': () => page(aListedPlan),
  'GET /report': () => aReport,
  'GET /withdrawals': () => page(),
  'GET /withdrawals/pace': () => ({ measured: 0, half_within: null, all_within: null }),
  'GET /bank_card/detail': () => aBankCard,
  'GET /acceptor/list': () => [],
  'GET /acceptor/order/list': () => ({ ...page(), current: null }),
  'GET /level': () => aLevel,
  'GET /level/credit': () => page(),
  'GET /activities': () => [anActivity],
  'GET /user_coupon/list': () => page(aCoupon),
  'GET /assistance/list': () => ({ ...page(), current: null, own: null }),
  'POST /plan/order/detail': () => aPlan,
  'GET /plan/order/series': () => aSeries,
  'GET /plan/compare': () => ({ items: [aComparedPlan, { ...aComparedPlan, plan: null }] }),
  'GET /plan/product/results': () => ({ ...aComparedPlan, plan: null }),
  'GET /plan/order/events': () => page(anEvent),
  'GET /plan/order/event': () => anEventDetail,
  'POST /plan/order/app/detail': () => aProductToPut,
  'POST /plan/order/await/put/count': () => ({ count: 0 }),
  'POST /user/notifications': () => page(),
  'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
};

async function open(address: string) {
  window.location.hash = `#${address}`;
  const router = await openFirstPage('en', showLanguage);
  return () => render(<App router={router} />);
}

/** The requests, without the unread count, which every page asks for. */
const asked = ({ sent }: ReturnType<typeof fakeApi>) =>
  sent
    .map(({ path, query }) => `${path}${query.size ? `?${query}` : ''}`)
    .filter((path) => !path.endsWith('unread_count'))
    .sort();

/** What has arrived and no component shows, but for the configuration, which is the app's. */
const unused = () =>
  queryClient
    .getQueryCache()
    .findAll({ type: 'inactive', predicate: ({ state }) => state.dataUpdateCount > 0 })
    .map(({ queryKey }) => queryKey.join())
    .filter((name) => name !== 'basic-config,en');

const settled = () => new Promise((resolve) => setTimeout(resolve, 60));

/** Pages behind the login whose first requests depend on what their address says. */
const filtered = [
  '/ad-center/ques-detail?id=results',
  '/ad-center/coupons?tab=used',
  '/plan?status=putting',
  '/plan?search=aurora&product=7&put=30&sort=roi&order=asc',
  '/plan/detail?id=42',
  '/plan/compare?ids=42,43',
  '/plan/compare?products=7',
  '/plan/compare?products=7,8',
  '/plan/events?plan=p1&kind=click',
  '/plan/event?plan=p1&kind=impression&id=e1',
  '/plan/goods-detail?id=p1',
  '/report?days=lastMonth&by=device',
  '/wallet?plan=p1',
  '/customer?url=https%3A%2F%2Fchat.example.com%2Froom',
];
const closed = routes.filter(({ needsLogin }) => needsLogin).map(({ path }) => path);

describe('the first page', () => {
  beforeEach(() => {
    // However slow the machine is, no figure is old before it is drawn.
    vi.useFakeTimers({ toFake: ['Date'] });
    queryClient.clear();
    session.signIn({ token: 'token-1', user: { ...aUser, store_opened: true } });
  });
  afterEach(() => void vi.useRealTimers());

  it('has asked for its figures before its code is there', async () => {
    const route = routeAt('/me/sessions') as Route;
    const load = vi.spyOn(route, 'load').mockReturnValue(new Promise(() => {}));
    const api = fakeApi(answers);
    void open(route.path);
    await waitFor(() => expect(api.to('/user/sessions')).toHaveLength(1));
    expect(load).toHaveBeenCalled();
  });

  it.each([...closed, ...filtered])('%s is drawn with its figures', async (address) => {
    const api = fakeApi(answers);
    const draw = await open(address);
    const first = asked(api);
    expect(first).toEqual([...new Set(first)]);
    draw();
    expect(document.querySelector('[aria-busy=true]')).toBeNull();
    await settled();
    expect(asked(api), 'also what its loader leaves out').toEqual(first);
    expect(unused(), 'read for nothing').toEqual([]);
  });

  it('shows no figure before it is known whether figures are simulated', async () => {
    fakeApi(answers);
    await open('/wallet');
    localStorage.clear();
    reloadConfig();
    queryClient.clear();
    session.signIn({ token: 'token-1', user: aUser });
    const simulated = { ...aConfig, data_source: 'simulated' as const };
    let tell = (_config: typeof simulated) => {};
    const asking = new Promise((resolve) => {
      tell = resolve;
    });
    fakeApi({ ...answers, 'GET /basic_config': () => asking });
    const opening = open('/wallet');
    const opened = vi.fn();
    void opening.then(opened);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(opened).not.toHaveBeenCalled();
    tell(simulated);
    (await opening)();
    expect(screen.getByText('Simulated data – no real money')).toBeVisible();
  });

  it('waits for no configuration that an earlier visit has stored, and not for ever', async () => {
    fakeApi({ ...answers, 'GET /basic_config': () => new Promise(() => {}) });
    cacheConfig(aConfig);
    await open('/wallet');
    vi.useFakeTimers({ shouldAdvanceTime: true });
    localStorage.clear();
    reloadConfig();
    const opened = vi.fn();
    void open('/wallet').then(opened);
    await vi.advanceTimersByTimeAsync(2_900);
    expect(opened).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(300);
    await waitFor(() => expect(opened).toHaveBeenCalled());
  });

  it('asks for the list that its address shows', async () => {
    const api = fakeApi(answers);
    await open('/plan?status=putting');
    const lists = api.to('/plan/order/list');
    expect(lists.map(({ query }) => query.get('status'))).toEqual(['putting']);
  });

  it('asks for no figures of an account that is not opened', async () => {
    const user = { ...aUser, store_opened: false };
    session.signIn({ token: 'token-1', user });
    const api = fakeApi({ ...answers, 'GET /user/info': () => user });
    await open('/ad-center');
    expect(api.to('/ad/order/data_statistics/list')).toEqual([]);
  });

  it('asks nothing where nobody is signed in', async () => {
    session.clear();
    const api = fakeApi(answers);
    await open('/wallet');
    expect(api.sent).toEqual([]);
  });

  it('does not wait for a server that takes its time', async () => {
    fakeApi({ ...answers, 'GET /user/property': () => new Promise(() => {}) });
    const draw = await open('/wallet');
    draw();
    expect(screen.getByRole('heading', { name: 'Wallet' })).toBeInTheDocument();
  });

  it('tells of a lost connection as any page does', async () => {
    fakeApi({ ...answers, 'GET /user/property': lostConnection });
    const draw = await open('/wallet');
    draw();
    expect(await screen.findByRole('alert')).toHaveTextContent('Request failed');
  });
});
