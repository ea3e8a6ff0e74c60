import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { PlanEvent } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { anEvent } from '@/testing/event-data';
import { address, renderApp } from '@/testing/render-app';

const page = (...items: PlanEvent[]) => ({ items, next_cursor: null as string | null });

function open(query: string, events: () => unknown = () => page(anEvent)) {
  const api = fakeApi({
    'GET /plan/order/events': events,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(`/plan/events?${query}`, aUser);
  return api;
}

const asked = (api: ReturnType<typeof fakeApi>) =>
  api.to('/plan/order/events').map(({ query }) => Object.fromEntries(query));

describe('EventsPage', () => {
  it('shows when, where, on what, in which form and at what price', async () => {
    open('plan=42&kind=impression');
    const row = await screen.findByRole('link', { name: /The Daily/ });
    expect(row).toHaveTextContent('The Daily · news-top');
    expect(row).toHaveTextContent('Mobile phone · Video');
    expect(row).toHaveTextContent('$0.0024');
    expect(row).toHaveTextContent('Counted');
    expect(within(row).getByText(/\d:00:05/)).toHaveAttribute('datetime', anEvent.time);
    expect(row).toHaveAttribute('href', '#/plan/event?plan=42&kind=impression&id=903');
    expect(screen.getByText(/We store nothing that identifies the person/)).toBeVisible();
  });

  it('says why an event does not count, and that a link was one’s own', async () => {
    const refused = { ...anEvent, counted: false, reason: 'duplicate' as const, price: '0.00' };
    open('plan=42&kind=impression', () => page({ ...refused, slot: null, device: null }));
    const row = await screen.findByRole('link', { name: /Your own link/ });
    expect(row).toHaveTextContent('Already counted once');
    expect(row).toHaveTextContent('Unknown device · Video');
    expect(row).toHaveTextContent('$0.00');
  });

  it('shows what a conversion pays, and one that was taken back', async () => {
    const sale = { ...anEvent, kind: 'conversion' as const, price: '0.00', payout: '3.10' };
    const back = { ...sale, id: '904', counted: false, reversed_at: '2026-11-21T09:00:00Z' };
    open('plan=42&kind=conversion', () => page(sale, back));
    const [first, second] = within(
      await screen.findByRole('list', { name: 'Conversions' }),
    ).getAllByRole('link');
    expect(first).toHaveTextContent('$3.10Counted');
    expect(second).toHaveTextContent('Taken back by the advertiser');
  });

  it('follows an address that is changed by hand', async () => {
    const api = open('plan=42&kind=impression');
    await screen.findByText('$0.0024');
    act(() => {
      window.location.hash = '#/plan/events?plan=42&kind=click';
    });
    const clicks = screen.getByRole('tab', { name: 'Clicks' });
    await waitFor(() => expect(clicks).toHaveAttribute('aria-selected', 'true'));
    await waitFor(() => expect(asked(api).at(-1)).toMatchObject({ kind: 'click' }));
  });

  it('asks for the kind and the verdict that are chosen, which its address keeps', async () => {
    const api = open('plan=42&kind=impression');
    await screen.findByText('$0.0024');
    await userEvent.click(screen.getByRole('tab', { name: 'Clicks' }));
    await userEvent.click(await screen.findByRole('radio', { name: 'Not counted' }));
    await waitFor(() => expect(asked(api)).toHaveLength(3));
    const first = { plan_id: '42', kind: 'impression', limit: '30' };
    const clicks = { ...first, kind: 'click' };
    expect(asked(api)).toEqual([first, clicks, { ...clicks, counted: 'false' }]);
    await waitFor(() =>
      expect(address()).toBe('/plan/events?plan=42&kind=click&verdict=notCounted'),
    );
  });

  it('goes through the kinds by arrow keys', async () => {
    open('plan=42&kind=impression');
    await screen.findByText('$0.0024');
    screen.getByRole('tab', { name: 'Impressions' }).focus();
    for (const [name, kind] of [
      ['Viewable', 'viewable'],
      ['Clicks', 'click'],
      ['Conversions', 'conversion'],
    ] as const) {
      await userEvent.keyboard('{ArrowRight}');
      expect(await screen.findByRole('tab', { name, selected: true })).toHaveFocus();
      await waitFor(() => expect(address()).toContain(`kind=${kind}`));
    }
  });

  it('narrows to one bill until that is dropped', async () => {
    const api = open('plan=42&kind=impression&verdict=counted&line=72');
    const drop = await screen.findByRole('button', { name: /Only the events of one line/ });
    expect(asked(api)[0]).toMatchObject({ line_id: '72', counted: 'true' });
    await userEvent.click(drop);
    await waitFor(() => expect(drop).not.toBeInTheDocument());
    expect(asked(api)[1]).not.toHaveProperty('line_id');
  });

  it('puts the day above the first event of it', async () => {
    const before = { ...anEvent, id: '902' };
    const yesterday = { ...anEvent, id: '901', time: '2026-11-18T09:00:05Z' };
    open('plan=42&kind=impression', () => page(anEvent, before, yesterday));
    await screen.findByRole('list', { name: 'Impressions' });
    const days = screen.getAllByRole('heading', { level: 2 }).map((day) => day.textContent);
    expect(days).toEqual(['Friday, November 20, 2026', 'Wednesday, November 18, 2026']);
  });

  it('reads on by the cursor', async () => {
    let asks = 0;
    const api = open('plan=42&kind=impression', () => {
      asks += 1;
      return asks === 1
        ? { ...page(anEvent), next_cursor: '903' }
        : page({ ...anEvent, id: '902', device: 'tv' });
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }));
    await waitFor(() => expect(asked(api)[1]).toMatchObject({ cursor: '903' }));
    expect(await screen.findByText('Television · Video')).toBeVisible();
  });

  it('says when there are none', async () => {
    open('plan=42&kind=click', () => page());
    expect(await screen.findByText('No such events')).toBeVisible();
  });

  it('says when the plan is gone', async () => {
    open('plan=43&kind=click', () => new Refusal(405, 'Not found', { error: 'not_found' }));
    expect(await screen.findByText('Plan not found')).toBeVisible();
  });

  it('is asked for again after a lost connection', async () => {
    const api = open('plan=44&kind=click', lostConnection);
    const reload = await screen.findByRole('button', { name: 'Reload' }, { timeout: 10_000 });
    api.answer('GET /plan/order/events', () => page({ ...anEvent, kind: 'click' }));
    await userEvent.click(reload);
    expect(await screen.findByText('$0.0024')).toBeVisible();
  });
});
