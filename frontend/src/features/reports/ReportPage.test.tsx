import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { noteServerTime } from '@/api/server-clock';
import { type fakeApi as Fake, fakeApi, lostConnection } from '@/testing/api';
import { aUser, someStatistics } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';
import { aReport, aReportBySite, noFigures } from '@/testing/report-data';
import { rangeOfDays } from './report-choice';

const aFile = (name: string) =>
  new Response('%PDF', { headers: { 'Content-Disposition': `attachment; filename="${name}"` } });

function api(more: Parameters<typeof Fake>[0] = {}) {
  return fakeApi({
    'GET /report': ({ query }) => (query.get('by') === 'day' ? aReport : aReportBySite),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    ...more,
  });
}

const rows = async () => {
  const table = await screen.findByRole('table', { name: /: Profit$/ });
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
};

afterEach(() => noteServerTime(new Date().toUTCString()));

describe('ReportPage', () => {
  it('shows the last seven days by day, each with what it is held against', async () => {
    const server = api();
    renderApp('/report', aUser);
    expect(await rows()).toEqual(['Nov 20, 2026+$1.00$0.00', 'Nov 21, 2026-$5.50+$2.00']);
    const [asked] = server.to('/report');
    const { from, to } = rangeOfDays('last7', new Date());
    expect(Object.fromEntries(asked?.query ?? [])).toMatchObject({ from, to, by: 'day' });
    expect(asked?.query.get('user_time_zone')).toMatch(/GMT/);
    const heading = screen.getByRole('heading', { name: 'Nov 20, 2026 – Nov 21, 2026' });
    const totals = heading.closest('section');
    expect(totals).toHaveTextContent('Compared with Nov 18, 2026 – Nov 19, 2026');
    expect(totals).toHaveTextContent('Profit-$4.50Before +$2.00ROI-15.0%Before +20.0%');
    expect(screen.getByText('-15.0%')).toHaveAttribute('data-sign', 'loss');
    // The columns hold the longest of the totals in one line.
    const texts = [...(totals?.querySelectorAll('dd:nth-of-type(1)') ?? [])];
    const most = Math.max(...texts.map(({ textContent }) => textContent.length));
    expect(totals?.querySelector('dl')?.style.getPropertyValue('--longest')).toBe(String(most));
    expect(screen.getByRole('slider', { name: 'Profit over time' })).toBeVisible();
  });

  it('counts its days by the server’s clock where the device’s is wrong by a year', async () => {
    const there = new Date(Date.now() + 366 * 86_400_000);
    noteServerTime(there.toUTCString());
    const server = api();
    renderApp('/report', aUser);
    await rows();
    const [asked] = server.to('/report');
    expect(Object.fromEntries(asked?.query ?? [])).toMatchObject(rangeOfDays('last7', there));
  });

  it('saves last week by site as PDF', async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download);
    });
    const server = api();
    renderApp('/report', aUser);
    await userEvent.click(await screen.findByRole('radio', { name: 'Last week' }));
    await userEvent.click(screen.getByRole('radio', { name: 'Site or app' }));
    await waitFor(() => expect(address()).toBe('/report?days=lastWeek&by=placement'));
    await screen.findByRole('rowheader', { name: /^games\./ });
    server.answer('GET /report', lostConnection);
    await userEvent.click(screen.getByRole('button', { name: 'Save as PDF' }));
    expect(await screen.findByText(/could not be downloaded/)).toBeVisible();
    server.answer('GET /report', () => aFile('report.pdf'));
    await userEvent.click(screen.getByRole('button', { name: 'Save as PDF' }));
    expect(await screen.findByText('Report saved')).toBeVisible();
    expect(saved).toEqual(['report.pdf']);
    const query = Object.fromEntries(server.to('/report').at(-1)?.query ?? []);
    expect(query).toMatchObject({
      ...rangeOfDays('lastWeek', new Date()),
      by: 'placement',
      format: 'pdf',
    });
  });

  it('is sorted by what is pressed above it, and what is unknown stays last', async () => {
    api();
    renderApp('/report?by=placement', aUser);
    const unknown = 'UnknownThrough shared links, or not recorded$0.00$0.00';
    const [daily, games] = [
      'The Dailynews-topExclude-$6.00+$2.00',
      'games.exampleBright ExchangeExclude+$1.50$0.00',
    ];
    expect(await rows()).toEqual([games, daily, unknown]);
    await userEvent.click(screen.getByRole('button', { name: 'Profit' }));
    await waitFor(async () => expect(await rows()).toEqual([daily, games, unknown]));
    expect(screen.getByRole('columnheader', { name: 'Profit' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Site or app' }));
    await waitFor(async () => expect(await rows()).toEqual([games, daily, unknown]));
    expect(address()).toBe('/report?by=placement&sort=name&order=asc');
    await userEvent.click(screen.getByRole('tab', { name: 'Impressions' }));
    const table = await screen.findByRole('table', { name: 'Site or app: Impressions' });
    expect(
      within(table)
        .getAllByRole('cell')
        .map((cell) => cell.textContent)
        .slice(0, 2),
    ).toEqual(['900', '0']);
  });

  it('takes any days, and says at the field what cannot be', async () => {
    const server = api();
    renderApp('/report', aUser);
    await userEvent.click(await screen.findByRole('radio', { name: 'Custom range' }));
    const from = await screen.findByLabelText('First day');
    const to = screen.getByLabelText('Last day');
    expect(from).toHaveValue(rangeOfDays('last7', new Date()).from);
    const sent = server.to('/report').length;
    await userEvent.clear(from);
    await userEvent.type(from, '2024-01-01');
    expect(to).toHaveAccessibleDescription(/at most 366 days/);
    expect(server.to('/report')).toHaveLength(sent);
    await userEvent.clear(to);
    await userEvent.type(to, '2024-01-31');
    await waitFor(() => expect(address()).toBe('/report?from=2024-01-01&to=2024-01-31'));
    expect(Object.fromEntries(server.to('/report').at(-1)?.query ?? [])).toMatchObject({
      from: '2024-01-01',
      to: '2024-01-31',
    });
  });

  it('says that a day of a year with five digits is none to report on', async () => {
    const server = api();
    renderApp('/report?from=2026-11-20&to=2026-11-21', aUser);
    const from = await screen.findByLabelText('First day');
    await rows();
    const sent = server.to('/report').length;
    fireEvent.change(from, { target: { value: '12026-11-20' } });
    expect(from).toHaveAccessibleDescription('This is more than a year ahead.');
    expect(screen.getByLabelText('Last day')).toBeValid();
    expect(server.to('/report')).toHaveLength(sent);
  });

  it('leads from a day to what it was made of', async () => {
    api();
    renderApp('/report', aUser);
    await userEvent.click(await screen.findByRole('link', { name: 'Nov 21, 2026' }));
    expect(address()).toBe('/report?from=2026-11-21&to=2026-11-21&by=plan');
    expect(await screen.findByLabelText('First day')).toHaveValue('2026-11-21');
  });

  it('says that nothing happened', async () => {
    api({ 'GET /report': () => ({ ...aReport, totals: noFigures, before: noFigures }) });
    renderApp('/report', aUser);
    expect(await screen.findByText('No delivery in this period')).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('can be asked for again where the connection was lost', async () => {
    const server = api({ 'GET /report': lostConnection });
    renderApp('/report', aUser);
    expect(await screen.findByRole('alert')).toHaveTextContent('Request failed');
    server.answer('GET /report', () => aReport);
    await userEvent.click(screen.getByRole('button', { name: /reload/i }));
    expect(await rows()).toHaveLength(2);
  });

  it('is reached from the overview', async () => {
    api({
      'GET /ad/order/data_statistics/list': () => someStatistics,
      'GET /user/info': () => aUser,
      'GET /user/property': lostConnection,
      'GET /plan/order/list': () => ({ items: [], next_cursor: null }),
      'GET /products': () => ({ items: [], next_cursor: null }),
    });
    renderApp('/ad-center', { ...aUser, store_opened: true });
    const link = await screen.findByRole('link', { name: 'Report' });
    expect(link).toHaveAttribute('href', '#/report');
  });
});
