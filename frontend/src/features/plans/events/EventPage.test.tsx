import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { PlanEventDetail } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aBill, anEventDetail } from '@/testing/event-data';
import { renderApp } from '@/testing/render-app';

function open(event: () => unknown) {
  const api = fakeApi({
    'GET /plan/order/event': event,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/plan/event?plan=42&kind=impression&id=903', aUser);
  return api;
}

const shown = (change: Partial<PlanEventDetail> = {}) =>
  open(() => ({ ...anEventDetail, ...change }));

/** The value next to a label. */
async function fact(name: string) {
  const term = await screen.findByText(name, { selector: 'dt' });
  return term.nextElementSibling?.textContent;
}

describe('EventPage', () => {
  it('shows what is known about an event', async () => {
    const api = shown();
    expect(await screen.findByText('Impression', { selector: 'h2' })).toBeVisible();
    expect(screen.getByText('Counted')).toBeVisible();
    expect(screen.getByText('$0.0024')).toBeVisible();
    expect(await fact('Placement')).toBe('The Daily · news-top');
    expect(await fact('Device')).toBe('Mobile phone');
    expect(await fact('Type of content')).toBe('Video');
    expect(screen.getByRole('link', { name: 'Aurora Coffee · P7KQ2M9XRT' })).toHaveAttribute(
      'href',
      '#/plan/detail?id=42',
    );
    expect(Object.fromEntries(api.to('/plan/order/event')[0]?.query ?? [])).toEqual({
      plan_id: '42',
      kind: 'impression',
      id: '903',
    });
  });

  it('adds up the bill it is on, and leads to its lines and to all its events', async () => {
    shown();
    expect(await fact('640 × $0.0024')).toBe('$1.536');
    expect(await fact('Carried over from the charge before')).toBe('+$0.006');
    expect(await fact('Carried over to the next charge')).toBe('-$0.002');
    expect(screen.getByText(/^Billed on Nov 20, 2026/).nextElementSibling).toHaveTextContent(
      '$1.54',
    );
    const own = screen.getByRole('link', { name: /Paid from your funds/ });
    expect(own).toHaveTextContent('-$1.04');
    expect(own).toHaveAttribute(
      'href',
      `#/wallet?${new URLSearchParams({
        from: '2026-11-20T09:00:20.000Z',
        until: '2026-11-20T09:00:21.000Z',
        plan: '42',
        kind: 'ad_billing',
      })}`,
    );
    expect(screen.getByRole('link', { name: /Promotional credit/ })).toHaveTextContent('-$0.50');
    expect(screen.getByRole('link', { name: 'All events in this charge' })).toHaveAttribute(
      'href',
      '#/plan/events?plan=42&kind=impression&verdict=counted&line=71',
    );
  });

  it('says who got what of the bill', async () => {
    shown({ bill: { ...aBill, other_parts: 3 } });
    const places = await screen.findByText('Where the money of this charge went:');
    const list = places.nextElementSibling;
    expect(list).toHaveTextContent(
      'The Daily Example$1.20daily.example · $0.60 to the publisher, $0.60 to the platform',
    );
    expect(list).toHaveTextContent('North$0.34$0.30 to the ad exchange, $0.04 to the platform');
    expect(screen.getByText('And 3 others')).toBeInTheDocument();
  });

  it('does not list the parts of a bill from before they were noted', async () => {
    shown({ bill: { ...aBill, parts: [], other_parts: 0 } });
    await fact('Carried over from the charge before');
    expect(screen.queryByText('Where the money of this charge went:')).toBeNull();
  });

  it('does not mention leftovers that are none', async () => {
    shown({ bill: { ...aBill, carried_in: '0.00', carried_out: '0.00' } });
    await fact('640 × $0.0024');
    expect(screen.queryByText(/Carried over/)).toBeNull();
  });

  it.each([
    ['waiting', 'It will be part of a later charge.'],
    ['below_unit', /less than the smallest unit of the currency was left/],
    ['not_counted', 'An event that does not count costs nothing.'],
    ['shared', 'Visits through your own link cost nothing.'],
    ['not_priced', /pays for the other kind of event/],
  ] as const)('says why %s is on no bill', async (billing, text) => {
    shown({ billing, bill: null });
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'All events in this charge' })).toBeNull();
  });

  it('says until when it is billed, if that is known', async () => {
    shown({ billing: 'waiting', bill: null, bill_at: '2026-11-20T23:45:00Z' });
    expect(
      await screen.findByText(
        /^It will be part of a later charge, by Nov 2\d, 2026.* at the latest\.$/,
      ),
    ).toBeVisible();
  });

  it('leads to the lines of its minute if it was billed before bills named their events', async () => {
    shown({ billing: 'earlier', bill: null });
    const lines = await screen.findByRole('link', { name: 'Ad billing' });
    expect(lines.getAttribute('href')).toContain('until=2026-11-20T09%3A01%3A05.000Z');
  });

  it('asks again until it is on a bill', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const api = shown({ billing: 'waiting', bill: null });
    await screen.findByText(/part of a later charge/);
    api.answer('GET /plan/order/event', () => anEventDetail);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await screen.findByText('640 × $0.0024')).toBeVisible();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(api.to('/plan/order/event')).toHaveLength(2);
  });

  it('says why an event does not count', async () => {
    shown({ counted: false, reason: 'too_fast', billing: 'not_counted', bill: null, related: [] });
    expect(await screen.findByText('Too fast for a person')).toBeVisible();
    expect(screen.getByText('Not counted')).toBeVisible();
    expect(screen.queryByText('The same ad')).toBeNull();
  });

  it('shows a conversion with the advertiser’s number, its payout and when it is settled', async () => {
    shown({
      kind: 'conversion',
      payout: '3.10',
      billing: null,
      bill: null,
      event_id: 'order-7',
      click_id: 'ab12',
      occurred_at: '2026-11-20T08:00:00Z',
      filter_version: null,
      related: [{ id: '903', kind: 'impression', time: '2026-11-20T07:00:00Z' }],
    });
    expect(await fact('Advertiser’s reference')).toBe('order-7');
    expect(await fact('Click ID')).toBe('ab12');
    expect(await fact('Payout per conversion')).toBe('$3.10');
    expect(await fact('Settlement expected on')).toBe('Nov 28, 2026');
    const related = screen.getByRole('link', { name: /^Impression/ });
    expect(related).toHaveAttribute('href', '#/plan/event?plan=42&kind=impression&id=903');
    expect(screen.queryByText('What was billed')).toBeNull();
  });

  it('leads to the settlement of a conversion once it is there', async () => {
    shown({
      kind: 'conversion',
      payout: '3.10',
      billing: null,
      bill: null,
      settled_at: '2026-11-29T09:00:00Z',
    });
    expect(await fact('Settled on')).toBe('Nov 29, 2026');
    expect(screen.getByRole('link', { name: 'Settlement' })).toHaveAttribute(
      'href',
      '#/wallet?plan=42&kind=settlement',
    );
  });

  it('says when there is no such event, and offers to reload after a lost connection', async () => {
    open(() => new Refusal(405, 'Not found', { error: 'not_found' }));
    expect(await screen.findByText('Event not found')).toBeVisible();
    cleanup();
    const api = open(lostConnection);
    const reload = await screen.findByRole('button', { name: 'Reload' }, { timeout: 4000 });
    api.answer('GET /plan/order/event', () => anEventDetail);
    await userEvent.click(reload);
    expect(await screen.findByText('$0.0024')).toBeVisible();
    expect(within(screen.getByRole('main')).getByText('The same ad')).toBeVisible();
  });
});
