import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { fakeApi, lostConnection } from '@/testing/api';
import { aProduct, aUser, someStatistics } from '@/testing/data';
import { aListedPlan, aProperty } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';
import { wideScreen } from '@/testing/wide-screen';

const statistics = 'GET /ad/order/data_statistics/list';

function api(changed = {}) {
  return fakeApi({
    'GET /user/info': () => aUser,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    [statistics]: () => someStatistics,
    'GET /products': () => ({ items: [aProduct], next_cursor: null }),
    'GET /user/property': () => aProperty,
    'GET /activities': () => [],
    'GET /plan/order/list': () => ({ items: [], next_cursor: null }),
    ...changed,
  });
}

/** The periods that figures were asked for. */
const periodsOf = (sent: { query: URLSearchParams }[]) =>
  sent.map(({ query }) => query.get('type'));

describe('the ad center', () => {
  it('shows the shop and the eight figures', async () => {
    api();
    renderApp('/ad-center', aUser);
    expect(await screen.findByText('Put on plans')).toBeVisible();
    const figure = (name: string) => {
      const term = screen.getAllByText(name).find((element) => element.tagName === 'DT');
      return term?.nextElementSibling?.textContent;
    };
    expect(figure('Shop level')).toBe('3');
    expect(figure('Credit score')).toBe('86');
    expect(figure('Deposit')).toBe('$250.00');
    expect(figure('Put on plans')).toBe('$12,500.00 +25%');
    expect(figure('Delivery orders')).toBe('18 -10%');
    expect(figure('Consumed')).toBe('$8,412.37');
    expect(figure('To be consumed')).toBe('$4,087.63');
    expect(figure('Impressions')).toBe('1,284,530 +100%');
    expect(figure('Clicks')).toBe('38,211 0%');
    expect(figure('Advertising revenue')).toBe('$9,731.84 +8%');
    expect(figure('Profit')).toBe('-$12.11');
    expect(screen.getByText('Compared with yesterday at this time')).toBeVisible();
    const [figures, shop] = screen.getAllByRole('button', { name: 'What the figures mean' });
    await userEvent.click(figures as HTMLElement);
    const term = screen.getByText('To be consumed', { selector: 'dt' });
    expect(term.parentElement).toHaveTextContent('Left in the budgets of your plans');
    expect(screen.queryByText(/^The shop level depends on what you spend/)).toBeNull();
    await userEvent.click(shop as HTMLElement);
    expect(screen.getByText(/^The shop level depends on what you spend/)).toBeVisible();
  });

  it('begins with the money, what today cost and earned, and what came back', async () => {
    api({
      [statistics]: ({ query }: { query: URLSearchParams }) =>
        query.get('type') === '4'
          ? { ...someStatistics, profit: '-73.00', consumed: '1000.00', previous: null }
          : someStatistics,
    });
    renderApp('/ad-center', aUser);
    const head = within(await screen.findByRole('region', { name: 'Your money and today' }));
    expect(await head.findByText('$10,000.00')).toBeVisible();
    const value = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
    await waitFor(() => expect(value('Spent today')).toBe('$8,412.37'));
    expect(value('Earned today')).toBe('$9,731.84');
    expect(head.getByRole('link', { name: 'Available funds' })).toHaveAttribute('href', '#/wallet');
    expect(value('Profit so far')).toBe('-$73.00');
    expect(screen.getByText('-$73.00')).toHaveAttribute('data-sign', 'loss');
    expect(value('Return on spending (ROI)')).toBe('-7.3%');
    expect(value('Not settled yet')).toBe('$120.50');
    // The longest amount has room beside the others, or below them.
    const returns = screen.getByText('Profit so far').closest('dl');
    expect(returns?.style.getPropertyValue('--length')).toBe('7');
    // Level and score come after the figures.
    const before = screen
      .getByText('Profit so far')
      .compareDocumentPosition(screen.getByText('Credit score'));
    expect(before & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });

  it('does not wait for a balance that could not be read', async () => {
    api({ 'GET /user/property': lostConnection });
    renderApp('/ad-center', aUser);
    const head = within(await screen.findByRole('region', { name: 'Your money and today' }));
    await waitFor(() =>
      expect(head.getByRole('link', { name: 'Available funds' }).nextSibling).toHaveTextContent(
        /^–$/,
      ),
    );
  });

  it('says what of the profit is settled, and that conversions were taken back', async () => {
    api({
      [statistics]: () => ({ ...someStatistics, settled_profit: '4.50', corrected: true }),
    });
    renderApp('/ad-center', aUser);
    const name = await screen.findByText('Profit', { selector: 'dt' });
    const about = name.parentElement;
    expect(about).toHaveTextContent('Settled part: +$4.50');
    expect(about).toHaveTextContent('Corrected: conversions were taken back');
    const so = screen.getByText('Profit so far').parentElement;
    await waitFor(() => expect(so).toHaveTextContent('Settled part: +$4.50'));
  });

  it('says what was billed in a step where that is not what was used', async () => {
    const series = someStatistics.series.map((step) => ({
      ...step,
      billed: '0.60',
      profit: '0.90',
    }));
    api({ [statistics]: () => ({ ...someStatistics, series, previous: null }) });
    renderApp('/ad-center', aUser);
    (await screen.findByRole('slider')).focus();
    await userEvent.keyboard('{Enter}');
    const sheet = within(await screen.findByRole('dialog'));
    const row = (name: string) => sheet.getByRole('row', { name: new RegExp(`^${name}`) });
    expect(row('Billed')).toHaveTextContent('$0.60');
    expect(row('Profit')).toHaveTextContent('+$0.90');
  });

  it('names no return where no money of one’s own was spent', async () => {
    api({ [statistics]: () => ({ ...someStatistics, consumed: '0.00', profit: '0.00' }) });
    renderApp('/ad-center', aUser);
    const value = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
    await screen.findByText('Profit so far');
    await waitFor(() => expect(value('Profit so far')).toBe('$0.00'));
    expect(value('Return on spending (ROI)')).toBe('–');
  });

  it('keeps the place of what came back until it is known', async () => {
    let answer: (all: object) => void = () => {};
    const all = new Promise((resolve) => {
      answer = resolve;
    });
    api({
      [statistics]: ({ query }: { query: URLSearchParams }) =>
        query.get('type') === '4' ? all : someStatistics,
    });
    renderApp('/ad-center', aUser);
    await screen.findByText('Put on plans');
    const value = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
    for (const name of ['Profit so far', 'Return on spending (ROI)', 'Not settled yet']) {
      expect(value(name)).toBe('–');
    }
    answer({ ...someStatistics, orders: 0 });
    await waitFor(() => expect(screen.queryByText('Your returns')).toBeNull());
  });

  it('starts a plan from where one is', async () => {
    api();
    renderApp('/ad-center', aUser);
    await userEvent.click(await screen.findByRole('button', { name: 'Start a plan' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Choose a product' }));
    const product = await sheet.findByRole('link', { name: /Aurora Coffee/ });
    expect(product).toHaveTextContent('From $50.00');
    expect(product).toHaveAttribute('href', '#/plan/goods-detail?id=p1');
  });

  it('says above the chart what it is: the sum, or the point that is read', async () => {
    api();
    renderApp('/ad-center', aUser);
    const chart = await screen.findByRole('slider');
    const headline = () => chart.closest('figure')?.querySelector('p')?.textContent;
    expect(headline()).toBe('Advertising revenue today$9,731.84 Before $9,000.00');
    chart.focus();
    await userEvent.keyboard('{Home}');
    expect(headline()).toMatch(/:00.*\$2\.00 Before \$1\.50$/);
    await userEvent.tab();
    expect(headline()).toBe('Advertising revenue today$9,731.84 Before $9,000.00');
    const marks = chart.parentElement?.querySelector('[class*=marks]');
    expect([...(marks?.children ?? [])].map((mark) => mark.textContent)).toEqual([
      '$6',
      '$4',
      '$2',
      '$0',
    ]);
  });

  it('says what coupons and credit paid beside the own money, where they did', async () => {
    const fake = api();
    fake.answer('GET /ad/order/data_statistics/list', () => ({
      ...someStatistics,
      invested: '0.00',
      consumed: '0.00',
      platform_paid: '20.00',
      profit: '0.00',
    }));
    renderApp('/ad-center', aUser);
    const term = await screen.findByText('Paid by coupons and credit');
    expect(term.nextElementSibling).toHaveTextContent('$20.00');
  });

  it('says what is not billed yet, where something is not', async () => {
    const fake = api();
    fake.answer('GET /ad/order/data_statistics/list', () => ({
      ...someStatistics,
      unbilled: '0.37',
    }));
    renderApp('/ad-center', aUser);
    const term = await screen.findByText('Not billed yet');
    expect(term.nextElementSibling).toHaveTextContent('$0.37');
  });

  it('says nothing of coupons where none paid', async () => {
    api();
    renderApp('/ad-center', aUser);
    await screen.findByText('Put on plans');
    expect(screen.queryByText('Paid by coupons and credit')).not.toBeInTheDocument();
    expect(screen.queryByText('Not billed yet')).not.toBeInTheDocument();
  });

  it('asks for each period by its number and the zone', async () => {
    const { to } = api();
    renderApp('/ad-center', aUser);
    await screen.findByText('Put on plans');
    await userEvent.click(screen.getByRole('tab', { name: 'Month' }));
    const asked = () =>
      periodsOf(to('/ad/order/data_statistics/list')).filter((type) => type !== '4');
    await waitFor(() => expect(asked()).toEqual(['1', '3']));
    expect(to('/ad/order/data_statistics/list')[0]?.query.get('user_time_zone')).toMatch(/GMT/);
  });

  it('refreshes every 30 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { to } = api();
    renderApp('/ad-center', aUser);
    await screen.findByText('Put on plans');
    await act(() => vi.advanceTimersByTimeAsync(28_000));
    const today = () =>
      periodsOf(to('/ad/order/data_statistics/list')).filter((one) => one === '1');
    expect(today()).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(3000));
    await waitFor(() => expect(today()).toHaveLength(2));
  });

  it('reads the chart by keyboard and as a table', async () => {
    api();
    renderApp('/ad-center', aUser);
    const chart = await screen.findByRole('slider');
    expect(chart).toHaveAttribute(
      'aria-valuetext',
      expect.stringContaining('$4.50, Before: $3.00'),
    );
    chart.focus();
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(chart).toHaveAttribute('aria-valuetext', expect.stringContaining('$2.00'));
    await userEvent.keyboard('{End}');
    expect(chart).toHaveAttribute('aria-valuetext', expect.stringContaining('$4.50'));
    await userEvent.keyboard('{Home}');
    expect(chart).toHaveAttribute('aria-valuetext', expect.stringContaining('$2.00'));
    await userEvent.click(screen.getByRole('button', { name: 'Show as a table' }));
    const rows = within(screen.getByRole('table')).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('Advertising revenue'),
      expect.stringContaining('$2.00$1.50'),
      expect.stringContaining('$4.50$3.00'),
    ]);
  });

  it('is one stop on the way through the page', async () => {
    api();
    renderApp('/ad-center', aUser);
    const chart = await screen.findByRole('slider');
    chart.focus();
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Show as a table' })).toHaveFocus();
  });

  it('opens what is behind a point, with the way to its bills and its plans', async () => {
    api();
    renderApp('/ad-center', aUser);
    const chart = await screen.findByRole('slider');
    chart.focus();
    await userEvent.keyboard('{ArrowLeft}{Enter}');
    const sheet = within(await screen.findByRole('dialog'));
    const row = (name: string) => sheet.getByRole('row', { name: new RegExp(`^${name}`) });
    expect(row('Advertising revenue')).toHaveTextContent('$2.00$1.50');
    expect(row('Consumed')).toHaveTextContent('$1.00$0.50');
    expect(row('Impressions')).toHaveTextContent('108');
    expect(row('Clicks')).toHaveTextContent('11');
    expect(sheet.getByRole('link', { name: /Funding details: Ad billing/ })).toHaveAttribute(
      'href',
      '#/wallet?from=2026-11-21T00%3A00%3A00Z&until=2026-11-21T01%3A00%3A00Z&kind=ad_billing',
    );
    expect(sheet.getByRole('link', { name: /See your plans/ })).toHaveAttribute('href', '#/plan');
    expect(sheet.queryByRole('button', { name: 'Today by the hour' })).toBeNull();
    await userEvent.keyboard('{Escape}');
    expect(chart).toHaveFocus();
  });

  it('shows the hours of the day that a longer period ends with', async () => {
    const { to } = api();
    renderApp('/ad-center', aUser);
    await userEvent.click(await screen.findByRole('tab', { name: 'Week' }));
    await waitFor(() => expect(periodsOf(to('/ad/order/data_statistics/list'))).toContain('2'));
    await userEvent.click(screen.getByRole('button', { name: /: details$/ }));
    await userEvent.click(await screen.findByRole('button', { name: 'Today by the hour' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('tab', { name: 'Today' })).toHaveAttribute('aria-selected', 'true');
  });

  it('opens a point by a click of the mouse, and only reads it by a finger', async () => {
    api();
    renderApp('/ad-center', aUser);
    const chart = await screen.findByRole('slider');
    chart.getBoundingClientRect = () => new DOMRect(0, 0, 332, 152);
    const press = (keys: string) =>
      userEvent.pointer([
        { target: chart, coords: { clientX: 20 } },
        { keys, target: chart },
      ]);
    await press('[TouchA]');
    expect(chart).toHaveAttribute('aria-valuenow', '0');
    expect(screen.queryByRole('dialog')).toBeNull();
    await press('[MouseLeft]');
    expect(await screen.findByRole('dialog')).toBeVisible();
  });

  it('explains what is consumed and what is to be', async () => {
    api({
      'GET /plan/order/list': ({ query }: { query: URLSearchParams }) => ({
        items: query.get('status') === 'putting' ? [aListedPlan] : [],
        next_cursor: null,
      }),
    });
    renderApp('/ad-center', aUser);
    await userEvent.click(await screen.findByRole('button', { name: 'What is “Consumed”?' }));
    let sheet = within(await screen.findByRole('dialog'));
    expect(sheet.getByText('$8,412.37')).toBeVisible();
    await userEvent.click(sheet.getByRole('button', { name: 'Close' }));
    await userEvent.click(screen.getByRole('button', { name: 'What is “To be consumed”?' }));
    sheet = within(await screen.findByRole('dialog'));
    expect(await sheet.findByRole('link', { name: /Aurora Coffee/ })).toHaveAttribute(
      'href',
      '#/plan/detail?id=42',
    );
  });

  it('compares with nothing where nothing was before', async () => {
    api({ [statistics]: () => ({ ...someStatistics, previous: null }) });
    renderApp('/ad-center', aUser);
    expect(await screen.findByText('$12,500.00')).toBeVisible();
    expect(screen.queryByText(/^Compared with/)).toBeNull();
    expect(screen.queryByText('Before')).toBeNull();
  });

  it('says what to do where nothing was delivered', async () => {
    const nothing = { ...someStatistics, orders: 0, impressions: 0, clicks: 0, series: [] };
    api({ [statistics]: () => nothing });
    renderApp('/ad-center', aUser);
    expect(await screen.findByText('No delivery in this period')).toBeVisible();
    expect(screen.queryByRole('slider')).not.toBeInTheDocument();
  });

  it('says that further products could not be read, and keeps those there are', async () => {
    const fake = api({ 'GET /products': () => ({ items: [aProduct], next_cursor: 'more' }) });
    renderApp('/ad-center', aUser);
    const more = await screen.findByRole('button', { name: 'Show more products' });
    fake.answer('GET /products', lostConnection);
    await userEvent.click(more);
    expect(await screen.findByText(/could not be loaded/)).toBeVisible();
    expect(screen.getByRole('link', { name: RegExp(aProduct.name) })).toBeVisible();
  });

  it('leads to products and other pages', async () => {
    api();
    renderApp('/ad-center', aUser);
    const product = await screen.findByRole('link', { name: /Aurora Coffee/ });
    expect(product).toHaveAttribute('href', '#/plan/goods-detail?id=p1');
    expect(product).toHaveTextContent('$2.40 per 1,000 impressions');
    const links = screen.getByRole('navigation', { name: 'Shortcuts' });
    const targets = within(links).getAllByRole('link');
    expect(targets.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Coupons', '#/ad-center/coupons'],
      ['Newcomer activity', '#/ad-center/activities'],
      ['Level and VIP', '#/ad-center/level'],
      ['Plan follow', '#/ad-center/operated'],
      ['Follow records', '#/ad-center/operated?tab=records'],
      ['FAQs', '#/ad-center/questions'],
      ['Operation rules', '#/ad-center/rules'],
      ['Feedback', '#/ad-center/feedback'],
    ]);
    await userEvent.click(within(links).getByRole('button', { name: 'Online service' }));
    expect(await screen.findByRole('dialog', { name: 'Customer service' })).toBeVisible();
  });

  it.each([
    [false, ['Data overview', 'Your shop']],
    [true, ['Your shop', 'Data overview']],
  ])('has two columns of about the same length, if at all: %s', async (wide, order) => {
    wideScreen(wide);
    api();
    renderApp('/ad-center', aUser);
    await screen.findByText('Put on plans');
    const headings = screen.getAllByRole('heading', { level: 2 });
    const names = headings.map(({ textContent }) => textContent ?? '');
    expect(names.filter((name) => order.includes(name))).toEqual(order);
  });

  it('leads from the shop to its level, and says until when VIP runs', async () => {
    const vip = { ...aUser, vip_until: '2099-01-20T09:00:00Z' };
    api({ 'GET /user/info': () => vip });
    renderApp('/ad-center', vip);
    const heading = await screen.findByRole('heading', { name: 'Your shop' });
    const shop = within(heading.closest('section') as HTMLElement);
    expect(shop.getByText('VIP until Jan 20, 2099')).toBeVisible();
    expect(shop.getByRole('link', { name: /Level, credit score and VIP/ })).toHaveAttribute(
      'href',
      '#/ad-center/level',
    );
  });

  it('has no arrow, shows the logout, and closes the native app on the way back', async () => {
    const postMessage = vi.fn();
    vi.stubGlobal('webkit', { messageHandlers: { placard: { postMessage } } });
    api();
    renderApp('/ad-center', aUser);
    await screen.findByText('Put on plans');
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Log out' })).toBeVisible();
    window.dispatchEvent(new Event('placard:back'));
    expect(postMessage).toHaveBeenCalledWith({ type: 'close' });
  });

  it('offers to load again what could not be read', async () => {
    const fake = api({ [statistics]: lostConnection });
    renderApp('/ad-center', aUser);
    const again = await screen.findByRole('button', { name: /reload/i });
    fake.answer(statistics, () => someStatistics);
    await userEvent.click(again);
    expect(await screen.findByText('$12,500.00')).toBeVisible();
  });

  it('asks who has not opened an account to do so', async () => {
    const closed = { ...aUser, store_opened: false };
    const { to } = api({ 'GET /user/info': () => closed });
    renderApp('/ad-center', closed);
    await userEvent.click(await screen.findByRole('link', { name: 'Enter authorization code' }));
    await waitFor(() => expect(address()).toBe('/ad-welcome'));
    expect(to('/ad/order/data_statistics/list')).toEqual([]);
  });
});
