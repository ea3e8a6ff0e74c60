import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type {
  PublisherCounts,
  PublisherFigures,
  PublisherInfo,
  PublisherStatement,
} from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { renderApp } from '@/testing/render-app';

const info: PublisherInfo = {
  id: '3',
  name: 'Garden Weekly',
  domain: 'garden.example',
  status: 'active',
  share: '0.7',
  currency: { code: 'USD', decimals: 2, symbol: '$' },
  money: {
    earned: '350.00',
    settled: '200.00',
    corrected: '0.00',
    paid: '60.00',
    asked: '10.00',
    payable: '130.00',
    minimum: '25.00',
    delay_days: 14,
  },
  link_until: '2026-12-20T20:00:00Z',
  data_source: 'live',
};

const counts: PublisherCounts = {
  requests: 400,
  filled: 300,
  fill_rate: '0.750000',
  impressions: 280,
  viewable: 210,
  viewable_rate: '0.750000',
  clicks: 9,
  filtered: 2,
  earned: '12.50',
};

const figures: PublisherFigures = {
  from: '2026-11-19',
  until: '2026-11-20',
  totals: counts,
  days: [
    { day: '2026-11-19', ...counts },
    { day: '2026-11-20', ...counts, requests: 0, filled: 0, fill_rate: null },
  ],
  slots: [{ key: 'rose-top', ...counts }],
};

const slots = {
  items: ['rose-top', 'rose-side'].map((key) => ({
    key,
    content_types: ['landing_page'],
    active: true,
    tag: `<script async src="https://ads.example/tag.js" data-slot="${key}"></script>`,
    frame: `<iframe src="https://ads.example/ads/frame/${key}"></iframe>`,
  })),
};

const statement = {
  publisher_id: '3',
  name: 'Garden Weekly',
  month: '2026-11',
  opening: '5.00',
  earned: '12.50',
  paid: '0.00',
  corrected: '0.00',
  closing: '17.50',
  impressions: 280,
  clicks: 9,
  viewable: 210,
  filtered: 2,
  slots: [],
  payments: [],
  corrections: [] as PublisherStatement['corrections'],
};

function open(answers: Parameters<typeof fakeApi>[0] = {}, path = '/publisher?link=3.1.aa') {
  const api = fakeApi({
    'GET /publisher/info': () => info,
    'GET /publisher/slots': () => slots,
    'GET /publisher/figures': () => figures,
    'GET /publisher/months': () => ({ items: ['2026-11', '2026-10'] }),
    'GET /publisher/statement': () => statement,
    ...answers,
  });
  renderApp(path);
  return api;
}

const fact = async (label: string, within_ = screen) =>
  (await within_.findAllByText(label, { selector: 'dt' }))[0]?.parentElement?.textContent;

describe('a publisher’s page', () => {
  it('shows its money, and reads with the link and without a session', async () => {
    const api = open();
    expect(await screen.findByText('$350.00')).toBeVisible();
    expect(await fact('Can be paid out now')).toContain('$130.00');
    expect(screen.queryByText('Corrections')).toBeNull();
    expect(screen.getByText(/14 days after .*\. At least \$25\.00 is paid/)).toBeVisible();
    expect(screen.getByText('This link works until Dec 20, 2026.')).toBeVisible();
    await waitFor(() => expect(api.sent.length).toBeGreaterThanOrEqual(5));
    for (const { headers } of api.sent) {
      expect(headers.get('Authorization')).toBe('Bearer 3.1.aa');
      expect(headers.get('X-CT')).toBeNull();
    }
  });

  it('shows what was corrected, each with its reason', async () => {
    const corrections = [
      { time: '2026-11-03T23:30:00Z', amount: '-12.34', reason: 'Clicks by a script' },
      { time: '2026-11-03T23:31:00Z', amount: '2.00', reason: 'Counted twice' },
    ];
    open({
      'GET /publisher/info': () => ({ ...info, money: { ...info.money, corrected: '-10.34' } }),
      'GET /publisher/statement': () => ({ ...statement, corrected: '-10.34', corrections }),
    });
    expect(await fact('Corrections')).toContain('-$10.34');
    const lines = await screen.findAllByText('Correction of Nov 3, 2026', { selector: 'dt' });
    expect(lines.map((line) => line.parentElement?.textContent)).toEqual([
      'Correction of Nov 3, 2026-$12.34Clicks by a script',
      'Correction of Nov 3, 2026+$2.00Counted twice',
    ]);
  });

  it('says that there is no statement yet, instead of waiting for one', async () => {
    open({ 'GET /publisher/months': () => ({ items: [] }) });
    expect(await screen.findByText('There is no statement yet.')).toBeVisible();
  });

  it('shows figures by day and placement, for the period and placement chosen', async () => {
    const api = open();
    expect(await fact('Fill rate')).toContain('75%');
    const table = await screen.findByRole('table', { name: 'By placement' });
    expect(within(table).getByRole('row', { name: 'rose-top $12.50 75%' })).toBeVisible();
    await userEvent.click(screen.getByRole('tab', { name: 'Requests' }));
    expect(within(table).getByRole('row', { name: 'rose-top 400 75%' })).toBeVisible();
    const asked = () => api.to('/publisher/figures').at(-1)?.query;
    const days = (query?: URLSearchParams) =>
      (Date.parse(query?.get('until') ?? '') - Date.parse(query?.get('from') ?? '')) / 86_400_000;
    expect(days(asked())).toBe(29);
    await userEvent.click(screen.getByRole('tab', { name: '7 days' }));
    await waitFor(() => expect(days(asked())).toBe(6));
    await userEvent.click(screen.getByRole('button', { name: /^Placement: All placements/ }));
    await userEvent.click(await screen.findByText('rose-side', { selector: '[role=dialog] *' }));
    await waitFor(() => expect(asked()?.get('slot')).toBe('rose-side'));
  });

  it('copies the tags', async () => {
    const user = userEvent.setup();
    const write = vi.spyOn(navigator.clipboard, 'writeText');
    open();
    await user.click(
      await screen.findByRole('button', { name: /rose-side: Script \(recommended\)/ }),
    );
    expect(write).toHaveBeenCalledWith(slots.items[1]?.tag);
  });

  it('opens a month’s statement, and saves it as a file with the link', async () => {
    const api = open({
      'GET /publisher/statement/export': () =>
        new Response('a,b', { headers: { 'Content-Disposition': 'attachment; filename="s.csv"' } }),
    });
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => '#', revokeObjectURL() {} }));
    expect(await fact('Closing balance')).toContain('$17.50');
    await userEvent.click(screen.getByRole('button', { name: 'Save as table (CSV)' }));
    await waitFor(() => expect(api.to('/publisher/statement/export')).toHaveLength(1));
    const [sent] = api.to('/publisher/statement/export');
    expect(Object.fromEntries(sent?.query ?? [])).toEqual({ month: '2026-11', format: 'csv' });
    expect(sent?.headers.get('Authorization')).toBe('Bearer 3.1.aa');
  });

  it('says that a link does not work, or is missing', async () => {
    open({ 'GET /publisher/info': () => new Refusal(401, 'Please log in', { error: 'no_auth' }) });
    expect(await screen.findByText('This link does not work')).toBeVisible();
  });

  it('asks nothing without a link', async () => {
    const api = open({}, '/publisher');
    expect(await screen.findByText('This link does not work')).toBeVisible();
    expect(api.sent).toEqual([]);
  });

  it('offers another try when the connection is lost', async () => {
    const api = open({ 'GET /publisher/info': lostConnection });
    const reload = await screen.findByRole('button', { name: 'Reload' }, { timeout: 5_000 });
    api.answer('GET /publisher/info', () => info);
    await userEvent.click(reload);
    expect(await screen.findByText('$350.00')).toBeVisible();
  });
});
