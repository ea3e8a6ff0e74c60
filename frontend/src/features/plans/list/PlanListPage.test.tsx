import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fakeApi, lostConnection } from '@/testing/api';
import { noResults } from '@/testing/compare-data';
import { aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import {
  aListedOffer,
  aListedPlan,
  aPlan,
  aProductToPut,
  aProperty,
  quoteWithoutCoupons,
} from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

function api() {
  return fakeApi({
    'GET /plan/order/list': ({ query }) => ({
      items: query.get('status') === 'settled' ? [] : [aListedPlan, { ...aListedOffer, id: '43' }],
      next_cursor: null,
    }),
    'POST /plan/order/await/put/count': () => ({ count: 120 }),
    'GET /products': () => ({ items: [aProductToPut], next_cursor: null }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
}

describe('PlanListPage', () => {
  it('shows what a newer server says of a plan by the name it gives', async () => {
    const newer = { status: 'under_review', reason: 'doubted', origin: 'lent' };
    const rule = { ...aPlan.put_rule, pricing: 'cpa' };
    fakeApi({
      'GET /plan/order/list': () => ({
        items: [{ ...aListedPlan, ...newer, put_rule: rule }],
        next_cursor: null,
      }),
      'POST /plan/order/await/put/count': () => ({ count: 0 }),
      'GET /products': () => ({ items: [], next_cursor: null }),
      'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    });
    renderApp('/plan', aUser);
    const list = await screen.findByRole('list', { name: 'Plans' });
    expect(within(list).getByText('under review')).toBeVisible();
    expect(within(list).getByRole('link')).toHaveAccessibleName(/P7KQ2M9XRT/);
  });

  it('lists plans with number, amounts, progress and status', async () => {
    api();
    renderApp('/plan', aUser);
    const list = await screen.findByRole('list', { name: 'Plans' });
    const [first, second] = within(list).getAllByRole('listitem');
    expect(first).toHaveTextContent('Aurora Coffee');
    expect(first).toHaveTextContent('P7KQ2M9XRT');
    expect(first).toHaveTextContent('Consumed$803.14Profit+$159.81ROI+21.2%');
    expect(within(first as HTMLElement).getByText('Putting')).toBeVisible();
    expect(within(first as HTMLElement).getByRole('progressbar')).toHaveAttribute(
      'aria-valuenow',
      '64',
    );
    const link = within(first as HTMLElement).getByRole('link', { name: /^Aurora Coffee P7K/ });
    expect(link).toHaveAttribute('href', '#/plan/detail?id=42');
    expect(second).toHaveTextContent('put an amount');
  });

  it('shows a result by its sign, and how it came about beside it', async () => {
    const server = api();
    const loss = { profit: '-20.00', return_on_spend: '-0.1', trend: ['10.00', '-30.00'] };
    const even = { profit: '0.00', return_on_spend: null, trend: [] };
    server.answer('GET /plan/order/list', () => ({
      items: [
        aListedPlan,
        { ...aListedPlan, ...loss, id: '1' },
        { ...aListedPlan, ...even, id: '2' },
      ],
      next_cursor: null,
    }));
    renderApp('/plan', aUser);
    const list = await screen.findByRole('list', { name: 'Plans' });
    const [first, second, third] = within(list).getAllByRole('listitem');
    const line = (card?: HTMLElement) => card?.querySelector('svg[data-tone] path:nth-of-type(2)');
    const tone = (card?: HTMLElement) =>
      card?.querySelector('[data-tone]')?.getAttribute('data-tone');
    expect([first, second, third].map(tone)).toEqual(['gain', 'loss', 'even']);
    // From nothing to -40, 80 and 159.81.
    expect(line(first)?.getAttribute('d')?.match(/[ML]/g)).toEqual(['M', 'L', 'L', 'L']);
    expect(line(second)?.getAttribute('d')).toBe('M0 6L22 0L44 18');
    expect(line(third)?.getAttribute('d')).toBe('');
    expect(second).toHaveTextContent('Profit-$20.00ROI-10.0%');
    expect(third).toHaveTextContent('Profit$0.00ROI–');
  });

  it('says from whom a followed offer comes', async () => {
    const server = api();
    const followed = {
      ...aListedOffer,
      origin: 'followed',
      followed_id: 'OP-1001',
      official: false,
    };
    server.answer('GET /plan/order/list', () => ({ items: [followed], next_cursor: null }));
    renderApp('/plan', aUser);
    const from = await screen.findByText('From OP-1001, which you follow');
    expect(from.parentElement).toHaveTextContent('which you follow · Offered to you.');
  });

  it('says it of a followed plan that runs, too', async () => {
    const server = api();
    const followed = { ...aListedPlan, origin: 'followed', followed_id: 'OP-1001' };
    server.answer('GET /plan/order/list', () => ({ items: [followed], next_cursor: null }));
    renderApp('/plan', aUser);
    expect(await screen.findByText('From OP-1001, which you follow')).toBeVisible();
  });

  it('offers every status as a tab and counts what waits to be put', async () => {
    const { to } = api();
    renderApp('/plan', aUser);
    const tabs = await screen.findAllByRole('tab');
    expect(tabs.map((tab) => tab.firstChild?.textContent)).toEqual([
      'All',
      'Waiting to be put',
      'Matching',
      'Putting',
      'Put failed',
      'Put finished',
      'Waiting for settlement',
      'Settlement successful',
    ]);
    await waitFor(() => expect(tabs[1]).toHaveTextContent('99+'));
    expect(to('/plan/order/list')[0]?.query.has('status')).toBe(false);
  });

  it('asks for the chosen status, keeps it in the address, and says what to do', async () => {
    const { to } = api();
    renderApp('/plan', aUser);
    await userEvent.click(await screen.findByRole('tab', { name: 'Settlement successful' }));
    expect(await screen.findByText('No plans with this status')).toBeVisible();
    expect(to('/plan/order/list').at(-1)?.query.get('status')).toBe('settled');
    expect(address()).toBe('/plan?status=settled');
  });

  it('says in a line how a plan goes, and what the chosen status means', async () => {
    api();
    renderApp('/plan', aUser);
    expect(await screen.findByText(/^You put an amount on a plan. It is matched/)).toBeVisible();
    await userEvent.click(screen.getByRole('tab', { name: 'Matching' }));
    expect(await screen.findByText(/^Looking for placements where the ad/)).toBeVisible();
    expect(screen.queryByText(/^You put an amount on a plan. It is matched/)).toBeNull();
  });

  it('leads to the products', async () => {
    api();
    renderApp('/plan', aUser);
    await userEvent.click(await screen.findByRole('button', { name: 'Start a plan' }));
    const sheet = within(screen.getByRole('dialog', { name: 'Choose a product' }));
    const link = await sheet.findByRole('link', { name: /Aurora Coffee/ });
    expect(link).toHaveTextContent('$2.40 per 1,000 impressions');
    expect(link).toHaveAttribute('href', '#/plan/goods-detail?id=p1');
  });

  it('opens the products at once for who came to use a coupon, and takes it along', async () => {
    api();
    renderApp('/plan?coupon=k1', aUser);
    const sheet = within(await screen.findByRole('dialog', { name: 'Choose a product' }));
    const link = await sheet.findByRole('link', { name: /Aurora Coffee/ });
    expect(link).toHaveAttribute('href', '#/plan/goods-detail?id=p1&coupon=k1');
  });

  it.each(['/plan', '/plan?coupon=k1'])(
    'closes the products of %s once a plan is put',
    async (at) => {
      const server = api();
      server.answer('POST /plan/order/app/detail', () => aProductToPut);
      server.answer('GET /plan/product/results', () => noResults);
      server.answer('POST /plan/order/quote', () => quoteWithoutCoupons('100'));
      server.answer('POST /plan/order/put', () => aPlan);
      server.answer('POST /plan/order/detail', () => aPlan);
      server.answer('GET /plan/order/series', () => ({ points: [] }));
      server.answer('POST /check/password', () => ({}));
      server.answer('GET /user/property', () => aProperty);
      renderApp(at, aUser);
      if (at === '/plan') {
        await userEvent.click(await screen.findByRole('button', { name: 'Start a plan' }));
      }
      const product = { name: /Aurora Coffee \$2/ };
      await userEvent.click(await screen.findByRole('link', product));
      await screen.findByRole('heading', { name: 'Aurora Coffee' });
      window.history.back();
      await userEvent.click(await screen.findByRole('link', product));
      await userEvent.click(await screen.findByRole('button', { name: 'Put amount' }));
      const form = within(screen.getByRole('dialog', { name: 'Put amount' }));
      await userEvent.type(form.getByLabelText('Amount'), '100');
      await userEvent.click(form.getByRole('button', { name: 'Put amount' }));
      await enterPassword();
      await waitFor(() => expect(address()).toBe('/plan/detail?id=42'));
      // Until the page is drawn, Back would close the layer on the previous one.
      await screen.findByRole('heading', { name: 'Delivery' });
      window.history.back();
      expect(await screen.findByRole('list', { name: 'Plans' })).toBeVisible();
      expect(screen.queryByRole('dialog')).toBeNull();
    },
  );

  it('offers to reload after a lost connection', async () => {
    const server = api();
    server.answer('GET /plan/order/list', lostConnection);
    renderApp('/plan', aUser);
    const reload = await screen.findByRole('button', { name: 'Reload' }, { timeout: 4000 });
    server.answer('GET /plan/order/list', () => ({ items: [aListedPlan], next_cursor: null }));
    await userEvent.click(reload);
    expect(await screen.findByText('P7KQ2M9XRT')).toBeVisible();
  });
});
