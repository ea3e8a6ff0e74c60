import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { DeliverySource, PlanDetail } from '@/api/types';
import { fakeApi, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aSeries } from '@/testing/event-data';
import { aPlan, aProperty } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

const counted = { impressions: 900, clicks: 12, viewable: 450 };

const sources: DeliverySource[] = [
  { ...counted, kind: 'slot', name: 'The Daily', slot: 'news-top', bids: null, places: [] },
  {
    ...counted,
    kind: 'exchange',
    name: 'North Exchange',
    slot: null,
    bids: 9000,
    places: [
      { ...counted, name: 'News.test' },
      { ...counted, name: '' },
    ],
  },
];

type Sent = { id?: string; slot?: string; site?: string; exchange?: string };

function open(first: Partial<PlanDetail> = {}) {
  let plan: PlanDetail = { ...aPlan, sources, ...first };
  const api = fakeApi({
    'POST /plan/order/detail': () => plan,
    'GET /plan/order/series': () => aSeries,
    'POST /plan/placement/exclude': ({ body }) => {
      const { id, slot, site, exchange } = body as Sent;
      const one = {
        slot: slot ?? null,
        publisher: slot ? 'The Daily' : null,
        site: site?.toLowerCase() ?? null,
        exchange: exchange ?? null,
        all_plans: id === undefined,
        at: '2026-11-20T09:00:00Z',
      };
      plan = { ...plan, exclusions: [one, ...plan.exclusions] };
      return { exclusions: plan.exclusions };
    },
    'POST /plan/placement/include': () => {
      plan = { ...plan, exclusions: [] };
      return { exclusions: [] };
    },
    'GET /user/property': () => aProperty,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/plan/detail?id=42', aUser);
  return api;
}

async function exclude(name: string, scope: string) {
  await userEvent.click(await screen.findByRole('button', { name: `Exclude ${name}` }));
  const sheet = within(await screen.findByRole('dialog', { name: `Exclude “${name}”?` }));
  await userEvent.click(sheet.getByRole('button', { name: scope }));
}

describe('places where a plan is not shown', () => {
  it('are excluded for the plan, named below, and included again', async () => {
    const api = open();
    await exclude('News.test', 'For this plan');
    expect(await screen.findByText('News.test is excluded')).toBeVisible();
    expect(api.to('/plan/placement/exclude')[0]?.body).toEqual({ id: '42', site: 'News.test' });
    const list = within(await screen.findByRole('list', { name: 'Not shown here' }));
    expect(list.getByRole('listitem')).toHaveTextContent('news.testFor this plan');
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Exclude News.test' })).toBeNull(),
    );
    await userEvent.click(list.getByRole('button', { name: 'Show in news.test again' }));
    expect(await screen.findByText('news.test is no longer excluded')).toBeVisible();
    expect(api.to('/plan/placement/include')[0]?.body).toEqual({ id: '42', site: 'news.test' });
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Not shown here' })).toBeNull());
    expect(screen.getByRole('button', { name: 'Exclude News.test' })).toBeVisible();
  });

  it('are excluded for all plans, which is taken back for all as well', async () => {
    const api = open();
    await exclude('The Daily', 'For all my plans');
    expect(api.to('/plan/placement/exclude')[0]?.body).toEqual({ slot: 'news-top' });
    const list = within(await screen.findByRole('list', { name: 'Not shown here' }));
    expect(list.getByRole('listitem')).toHaveTextContent('The Daily · news-topFor all plans');
    await userEvent.click(list.getByRole('button', { name: 'Show in The Daily · news-top again' }));
    await waitFor(() =>
      expect(api.to('/plan/placement/include')[0]?.body).toEqual({ slot: 'news-top' }),
    );
  });

  it('are all of an exchange, which is said before, and taken back at once', async () => {
    const api = open();
    await userEvent.click(await screen.findByRole('button', { name: 'Exclude North Exchange' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Exclude “North Exchange”?' }));
    expect(sheet.getByText(/^This covers every site and app/)).toBeVisible();
    await userEvent.click(sheet.getByRole('button', { name: 'For this plan' }));
    const list = within(await screen.findByRole('list', { name: 'Not shown here' }));
    expect(list.getByRole('listitem')).toHaveTextContent('North ExchangeFor this plan');
    expect(screen.queryByRole('button', { name: 'Exclude North Exchange' })).toBeNull();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('North Exchange is no longer excluded')).toBeVisible();
    const sent = { id: '42', exchange: 'North Exchange' };
    for (const step of ['exclude', 'include']) {
      expect(api.to(`/plan/placement/${step}`).map(({ body }) => body)).toEqual([sent]);
    }
    expect(await screen.findByRole('button', { name: 'Exclude North Exchange' })).toBeVisible();
  });

  it('say nothing of all sites where it is one', async () => {
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Exclude News.test' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Exclude “News.test”?' }));
    expect(sheet.queryByText(/^This covers every site and app/)).toBeNull();
  });

  it('cannot be excluded without a name', async () => {
    open();
    await screen.findByText('Not named by the ad exchange');
    const buttons = screen.getAllByRole('button', { name: /^Exclude/ });
    expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Exclude The Daily',
      'Exclude North Exchange',
      'Exclude News.test',
    ]);
  });

  it('are said to be too many by the server', async () => {
    const api = open();
    const text = 'You can exclude at most 100 places.';
    api.answer('POST /plan/placement/exclude', () => {
      return new Refusal(405, text, { error: 'exclusions_full', most: 100 });
    });
    await exclude('News.test', 'For this plan');
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole('list', { name: 'Not shown here' })).toBeNull();
  });

  it('are not offered for a plan that has ended', async () => {
    open({ status: 'settled' });
    await screen.findByText('Not named by the ad exchange');
    expect(screen.queryByRole('button', { name: /^Exclude/ })).toBeNull();
  });
});
