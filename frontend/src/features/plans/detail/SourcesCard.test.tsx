import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { DeliveryPlace, DeliverySource } from '@/api/types';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aSeries } from '@/testing/event-data';
import { aPlan, aProperty } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

const title = 'Where your ad was shown';

const aSlot: DeliverySource = {
  kind: 'slot',
  name: 'The Daily',
  slot: 'news-top',
  impressions: 12_400,
  clicks: 240,
  viewable: 7812,
  bids: null,
  places: [],
};

const aPlace: DeliveryPlace = { name: 'news.test', impressions: 900, clicks: 12, viewable: 450 };

const anExchange: DeliverySource = {
  kind: 'exchange',
  name: 'North Exchange',
  slot: null,
  impressions: 1500,
  clicks: 20,
  viewable: 600,
  bids: 12_000,
  places: [aPlace],
};

function open(sources: DeliverySource[]) {
  fakeApi({
    'POST /plan/order/detail': () => ({ ...aPlan, sources }),
    'GET /plan/order/series': () => aSeries,
    'GET /user/property': () => aProperty,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/plan/detail?id=42', aUser);
}

/** What is shown of a publisher or an exchange. */
async function source(name: string) {
  return within(await screen.findByRole('listitem', { name }));
}

type Within = Awaited<ReturnType<typeof source>>;

/** The value after the first such name, and what stands below it. */
function fact(within: Within, name: string) {
  const [first] = within.queryAllByText(name, { selector: 'dt' });
  return first?.parentElement?.textContent?.slice(name.length).trim();
}

/** One site or app, in a line. */
const places = (within: Within, list: string) =>
  [...within.getByRole('list', { name: list }).children].map((row) => row.textContent);

const many = (length: number): DeliveryPlace[] =>
  Array.from({ length }, (_, at) => ({ ...aPlace, name: `site-${at + 1}.test` }));

describe('where a plan was delivered', () => {
  it.each([
    ['no source', []],
    ['sources without an impression', [{ ...aSlot, impressions: 0, clicks: 0, viewable: 0 }]],
    ['bids alone', [{ ...anExchange, impressions: 0, clicks: 0, viewable: 0, places: [] }]],
  ])('is not shown while there is no delivery: %s', async (_, sources) => {
    open(sources);
    await screen.findByRole('heading', { name: 'Delivery' });
    await waitFor(() => expect(screen.queryByText(title)).toBeNull());
    expect(screen.queryByText('North Exchange')).toBeNull();
  });

  it('is said of each slot, and nothing of exchanges where there are only slots', async () => {
    open([aSlot, { ...aSlot, name: 'Sports Weekly', slot: 'sports-side', impressions: 3 }]);
    const daily = await source('The Daily');
    expect(daily.getByText('Placement · news-top')).toBeVisible();
    expect(fact(daily, 'Impressions')).toBe('12,400');
    expect(fact(daily, 'Clicks')).toBe('240');
    expect(fact(daily, 'Viewable share')).toBe('63%');
    expect(fact(daily, 'Win rate')).toBeUndefined();
    expect((await source('Sports Weekly')).getByText('Placement · sports-side')).toBeVisible();
    expect(screen.getByText(/^A placement is/)).toBeVisible();
    expect(screen.queryByText(/ad exchange/i)).toBeNull();
    expect(screen.queryByText('Sites and apps')).toBeNull();
  });

  it('is said of an exchange with how often it was won, and with its sites and apps', async () => {
    open([anExchange]);
    const north = await source('North Exchange');
    expect(north.getByText('Ad exchange')).toBeVisible();
    expect(fact(north, 'Win rate')).toBe(
      '12.5%This plan was offered in 12,000 auctions, and its ad was shown in 1,500 of them',
    );
    expect(places(north, 'Sites and apps')).toEqual([
      'news.testExcludeImpressions 900Clicks 12Viewable share 50%',
    ]);
    expect(screen.getByText(/^An ad exchange sells/)).toBeVisible();
    expect(screen.queryByText(/^A placement is/)).toBeNull();
  });

  it.each([0, null, 1499])('says no win rate that nobody can know: %s bids', async (bids) => {
    open([{ ...anExchange, bids }]);
    const north = await source('North Exchange');
    expect(fact(north, 'Impressions')).toBe('1,500');
    expect(fact(north, 'Win rate')).toBeUndefined();
  });

  it('has a dash for the viewable share of no impressions', async () => {
    open([{ ...aSlot, impressions: 0, viewable: 0, clicks: 2 }]);
    expect(fact(await source('The Daily'), 'Viewable share')).toBe('–');
  });

  it('says so if the exchange did not name a place', async () => {
    open([{ ...anExchange, places: [{ ...aPlace, name: '' }] }]);
    const [row] = places(await source('North Exchange'), 'Sites and apps');
    expect(row).toMatch(/^Not named by the ad exchange/);
  });

  it('says what was delivered in none of them, which nobody can exclude', async () => {
    const rest = { ...aSlot, name: '', slot: null, impressions: 0, clicks: 4, viewable: 0 };
    open([
      { ...rest, kind: 'others', impressions: 7 },
      { ...rest, kind: 'unknown' },
    ]);
    const unknown = await source('Unknown');
    expect(unknown.getByText('Through shared links, or not recorded')).toBeVisible();
    expect(fact(unknown, 'Clicks')).toBe('4');
    expect(fact(await source('Others'), 'Impressions')).toBe('7');
    expect(screen.queryByRole('button', { name: /^Exclude/ })).toBeNull();
    expect(screen.queryByText(/^A placement is/)).toBeNull();
  });

  it('shows the first of many sites, and the others on demand', async () => {
    open([{ ...anExchange, places: many(40) }]);
    const north = await source('North Exchange');
    expect(places(north, 'Sites and apps')).toHaveLength(3);
    expect(screen.queryByText('site-4.test')).toBeNull();
    const more = north.getByRole('button', { name: 'More sites and apps: 37' });
    more.focus();
    await userEvent.keyboard('{Enter}');
    expect(places(north, 'More sites and apps: 37')).toHaveLength(37);
    expect(more).toHaveAttribute('aria-expanded', 'true');
    expect(more).toHaveAccessibleName('Show fewer');
    await userEvent.keyboard('{Enter}');
    expect(screen.queryByText('site-4.test')).toBeNull();
  });

  it('hides no single site', async () => {
    open([{ ...anExchange, places: many(4) }]);
    const north = await source('North Exchange');
    expect(places(north, 'Sites and apps')).toHaveLength(4);
    expect(north.queryByRole('button', { name: /More/ })).toBeNull();
  });

  it('shows the first of many slots, and the others on demand', async () => {
    const slots = Array.from({ length: 12 }, (_, at) => ({ ...aSlot, name: `Paper ${at + 1}` }));
    open(slots);
    await source('Paper 2');
    expect(screen.queryByText('Paper 3')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show the others: 10' }));
    expect(await source('Paper 12')).toBeTruthy();
  });
});
