import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import type { Property, Quote } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { noResults } from '@/testing/compare-data';
import { aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { aSeries } from '@/testing/event-data';
import {
  aCoupon,
  aPlan,
  aProductToPut,
  aProperty,
  quoteOf,
  quoteWithoutCoupons,
  rightHash,
} from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

const quote = 'POST /plan/order/quote';

function amountOf({ body }: { body: unknown }): string {
  return (body as { amount: string }).amount;
}

function open(
  property: Partial<Property> = {},
  detail: () => unknown = () => aProductToPut,
  at = '/plan/goods-detail?id=p1',
) {
  const api = fakeApi({
    [quote]: (sent) => quoteWithoutCoupons(amountOf(sent)),
    'GET /plan/product/results': () => noResults,
    'POST /plan/order/app/detail': detail,
    'POST /plan/order/detail': () => aPlan,
    'GET /plan/order/series': () => aSeries,
    'POST /plan/order/put': () => aPlan,
    'POST /check/password': () => ({}),
    'GET /user/property': () => ({ ...aProperty, ...property }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(at, aUser);
  return api;
}

async function openSheet() {
  await userEvent.click(await screen.findByRole('button', { name: 'Put amount' }));
  const sheet = within(screen.getByRole('dialog', { name: 'Put amount' }));
  await sheet.findByText(/Available: /);
  return sheet;
}

type Sheet = Awaited<ReturnType<typeof openSheet>>;

async function put(sheet: Sheet, amount: string) {
  await userEvent.clear(sheet.getByLabelText('Amount'));
  if (amount) await userEvent.type(sheet.getByLabelText('Amount'), amount);
  await userEvent.click(sheet.getByRole('button', { name: 'Put amount' }));
}

describe('GoodsDetailPage', () => {
  it('explains price, payout and fee, and promises nothing', async () => {
    open();
    expect(await screen.findByRole('heading', { name: 'Aurora Coffee' })).toBeVisible();
    expect(screen.getByText(/For every 1,000 impressions of your ad, \$2.40/)).toBeVisible();
    expect(screen.getByText('$3.10')).toBeVisible();
    expect(screen.getByText('5%')).toBeVisible();
    expect(screen.getByText('$50.00 – $5,000.00')).toBeVisible();
    expect(screen.getByText(/Advertising revenue can be lower/)).toBeVisible();
  });

  it('darkens the picture below the white bar', async () => {
    open();
    await screen.findByRole('heading', { name: 'Aurora Coffee' });
    expect(document.querySelector('main img')?.closest('[class*=scrim]')).not.toBeNull();
  });

  it('names a window of hours, and never 0 days', async () => {
    open({}, () => ({ ...aProductToPut, attribution_days: 0 }));
    expect(await screen.findByText('While the plan runs')).toBeVisible();
  });

  it('previews each content', async () => {
    open();
    await userEvent.click(await screen.findByRole('tab', { name: 'Landing page' }));
    expect(screen.getByText('Worth waking up for')).toBeVisible();
  });

  it('shows the one content there is without offering a choice', async () => {
    open({}, () => ({ ...aProductToPut, content_types: ['landing_page'] }));
    expect(await screen.findByText('Landing page')).toBeVisible();
    expect(screen.getByText('Worth waking up for')).toBeVisible();
    expect(screen.queryByRole('tab')).toBeNull();
  });

  it('puts the amount with its price and fees shown first, then opens the plan', async () => {
    const api = open();
    const sheet = await openSheet();
    await userEvent.click(sheet.getByRole('tab', { name: 'Landing page' }));
    await userEvent.type(sheet.getByLabelText('Amount'), '100');
    expect(await sheet.findByText('at most 41,666')).toBeVisible();
    expect(sheet.getByText('Platform fee per conversion (5%)')).toBeVisible();
    expect(sheet.getByText('$0.155')).toBeVisible();
    expect(sheet.getByText('$9,900.00')).toBeVisible();
    await userEvent.click(sheet.getByRole('button', { name: 'Put amount' }));
    await enterPassword();
    await waitFor(() => expect(address()).toBe('/plan/detail?id=42'));
    const [sent] = api.to('/plan/order/put');
    expect(sent?.body).toEqual({
      product_id: 'p1',
      amount: '100',
      content: 'landing_page',
      password: rightHash,
    });
    expect(sent?.headers.get('Idempotency-Key')).toMatch(/^[!-~]{1,64}$/);
  });

  it.each([
    ['', 'Cannot be empty'],
    ['49.99', 'Investment amount out of range: $50.00 to $5,000.00'],
    ['5000.01', 'Investment amount out of range: $50.00 to $5,000.00'],
  ])('asks for no password for %j', async (amount, text) => {
    open();
    const sheet = await openSheet();
    await put(sheet, amount);
    expect(sheet.getByText(text)).toBeVisible();
    expect(screen.queryByRole('dialog', { name: 'Transaction password' })).toBeNull();
  });

  it('says in the same words that the server found the amount out of range', async () => {
    const api = open();
    const refusal = new Refusal(405, 'Amount out of range', { error: 'amount_out_of_range' });
    api.answer('POST /plan/order/put', () => refusal);
    const sheet = await openSheet();
    await put(sheet, '100');
    await enterPassword();
    expect(
      await sheet.findByText('Investment amount out of range: $50.00 to $5,000.00'),
    ).toBeVisible();
  });

  it('says what a server that failed says, and that trying again is safe', async () => {
    const api = open();
    api.answer(
      'POST /plan/order/put',
      () => new Response('', { status: 502, statusText: 'Bad Gateway' }),
    );
    const sheet = await openSheet();
    await put(sheet, '100');
    await enterPassword();
    expect(await sheet.findByText(/^The server cannot answer right now/)).toBeVisible();
    expect(sheet.getByText(/cannot be carried out twice/)).toBeVisible();
    expect(sheet.queryByText(/connection/i)).toBeNull();
  });

  it('leads from too little money to a recharge', async () => {
    const api = open({ available: '60.00' });
    api.answer(quote, (sent) => ({ ...quoteWithoutCoupons(amountOf(sent)), affordable: false }));
    const sheet = await openSheet();
    await put(sheet, '100');
    expect(await sheet.findByText('Insufficient balance')).toBeVisible();
    expect(screen.queryByRole('dialog', { name: 'Transaction password' })).toBeNull();
    await userEvent.click(sheet.getByRole('button', { name: /Recharge/ }));
    expect(await screen.findByRole('link', { name: /Recharges/ })).toBeVisible();
  });

  it.each([
    ['store_not_opened', 'Open your ad account', '#/ad-welcome'],
    ['plan_not_puttable', 'See your plans', '#/plan'],
    ['not_found', 'See your plans', '#/plan'],
    ['pay_password_not_set', 'Set transaction password', '#/wallet/set-password'],
  ])('shows %s in the server’s words, with a way out', async (error, way, href) => {
    const api = open();
    api.answer('POST /plan/order/put', () => new Refusal(405, `Because ${error}`, { error }));
    const sheet = await openSheet();
    await put(sheet, '100');
    await enterPassword();
    expect(await sheet.findByText(`Because ${error}`)).toBeVisible();
    expect(sheet.getByRole('link', { name: way })).toHaveAttribute('href', href);
    expect(sheet.getByLabelText('Amount')).toHaveValue('100');
  });

  it('keeps everything over a lost connection and repeats the same order once', async () => {
    const api = open();
    api.answer('POST /plan/order/put', lostConnection);
    const sheet = await openSheet();
    await put(sheet, '100');
    await enterPassword();
    expect(await sheet.findByText(/it cannot be carried out twice/)).toBeVisible();
    expect(sheet.getByLabelText('Amount')).toHaveValue('100');
    api.answer('POST /plan/order/put', () => aPlan);
    await userEvent.click(sheet.getByRole('button', { name: 'Put amount' }));
    await enterPassword();
    await waitFor(() => expect(address()).toBe('/plan/detail?id=42'));
    const keys = api.to('/plan/order/put').map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it('does not call it a lost connection, when one comes back, where the server answered', async () => {
    const api = open();
    api.answer(
      'POST /plan/order/put',
      () => new Response('', { status: 502, statusText: 'Bad Gateway' }),
    );
    const sheet = await openSheet();
    await put(sheet, '100');
    await enterPassword();
    expect(await sheet.findByText(/^The server cannot answer right now/)).toBeVisible();
    await userEvent.click(sheet.getByRole('button', { name: 'Close' }));
    const again = await openSheet();
    expect(await again.findByText(/it cannot be carried out twice/)).toBeVisible();
    expect(again.queryByText(/connection/i)).toBeNull();
  });

  it('asks for the price once the typing rests, with what is put on', async () => {
    const api = open();
    const sheet = await openSheet();
    await userEvent.type(sheet.getByLabelText('Amount'), '1250');
    await sheet.findByText('$8,750.00');
    const asked = api.to('/plan/order/quote').map(({ body }) => body);
    expect(asked.at(-1)).toEqual({ product_id: 'p1', amount: '1250' });
    expect(asked.length).toBeLessThan(4);
  });

  it('says that nothing can be put while the price cannot be asked, and asks again', async () => {
    const api = open();
    api.answer(quote, lostConnection);
    const sheet = await openSheet();
    await put(sheet, '100');
    expect(await sheet.findByText(/The connection was lost/)).toBeVisible();
    expect(screen.queryByRole('dialog', { name: 'Transaction password' })).toBeNull();
    api.answer(quote, (sent) => quoteWithoutCoupons(amountOf(sent)));
    await userEvent.click(sheet.getByRole('button', { name: 'Put amount' }));
    await enterPassword();
    await waitFor(() => expect(address()).toBe('/plan/detail?id=42'));
  });

  it('keeps what was typed while the form is closed', async () => {
    open();
    const sheet = await openSheet();
    await userEvent.type(sheet.getByLabelText('Amount'), '125');
    await userEvent.click(sheet.getByRole('tab', { name: 'Landing page' }));
    await userEvent.click(sheet.getByRole('button', { name: 'Close' }));
    const again = await openSheet();
    expect(again.getByLabelText('Amount')).toHaveValue('125');
    expect(again.getByRole('tab', { name: 'Landing page' })).toHaveAttribute(
      'aria-selected',
      'true',
    );
  });

  it('forgets it once it is put, and at the sign-out', async () => {
    open();
    let sheet = await openSheet();
    await put(sheet, '100');
    await enterPassword();
    await waitFor(() => expect(address()).toBe('/plan/detail?id=42'));
    // The address changes before the page does.
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Put amount' })).toBeNull());
    window.location.hash = '#/plan/goods-detail?id=p1';
    sheet = await openSheet();
    expect(sheet.getByLabelText('Amount')).toHaveValue('');
    await userEvent.type(sheet.getByLabelText('Amount'), '125');
    act(() => session.clear());
    expect(await screen.findByLabelText('Username')).toBeVisible();
    act(() => session.signIn({ token: 'token-2', user: { ...aUser, id: 'u2' } }));
    // After the login, the app returns to the page that needed it.
    await waitFor(() => expect(address()).toBe('/plan/goods-detail?id=p1'));
    sheet = await openSheet();
    expect(sheet.getByLabelText('Amount')).toHaveValue('');
  });

  it('says when the product is gone', async () => {
    open({}, () => new Refusal(405, 'Not found', { error: 'not_found' }));
    expect(await screen.findByText('This product is no longer offered')).toBeVisible();
  });
});

describe('a put with coupons', () => {
  const other = { ...aCoupon, id: 'k2', name: 'Three off', effect: 'deduction', value: '3.00' };

  function twoCoupons(amount: string): Quote {
    const best = quoteOf(amount);
    const second = {
      ...best.coupons[0],
      coupon: { ...other, max_value: null },
      pays: '97.00',
      available_pays: '47.00',
      promotional_pays: '50.00',
    };
    const team = {
      ...second,
      coupon: { ...other, id: 'k3', name: 'Team Atlas', kind: 'team', operated_id: 'OP-7' },
      applicable: false,
      reason: 'coupon_not_applicable',
    };
    return { ...best, coupons: [...best.coupons, second, team] } as Quote;
  }

  async function openWithCoupons(at?: string) {
    const api = open({}, undefined, at);
    api.answer(quote, (sent) => twoCoupons(amountOf(sent)));
    const sheet = await openSheet();
    await userEvent.type(sheet.getByLabelText('Amount'), '100');
    await sheet.findByRole('button', { name: /^Coupon / });
    return { api, sheet };
  }

  function choices() {
    return within(screen.getByRole('dialog', { name: 'Choose a coupon' }));
  }

  it('uses the best one and shows who pays what', async () => {
    const { api, sheet } = await openWithCoupons();
    expect(sheet.getByRole('button', { name: /Coupon 10% off/ })).toBeVisible();
    const fact = (name: string) => sheet.getByText(name).closest('div')?.querySelector('dd');
    expect(fact('Paid by the coupon')).toHaveTextContent('$10.00');
    expect(fact('Held for the plan now')).toHaveTextContent('$90.00');
    expect(fact('The plan’s budget')).toHaveTextContent('$100.00');
    await userEvent.click(sheet.getByRole('button', { name: 'Put amount' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Transaction password' }));
    expect(await dialog.findByText('Coupon (10% off): $10.00')).toBeVisible();
    expect(dialog.getByText('From your funds: $90.00')).toBeVisible();
    await enterPassword();
    await waitFor(() => expect(address()).toBe('/plan/detail?id=42'));
    expect(api.to('/plan/order/put')[0]?.body).toMatchObject({ amount: '100', coupon_id: 'k1' });
  });

  it('takes another, and says why the rest does not fit', async () => {
    const { api, sheet } = await openWithCoupons();
    await userEvent.click(sheet.getByRole('button', { name: /^Coupon / }));
    expect(choices().getByText('Best')).toBeVisible();
    expect(choices().getByText('Only while you follow OP-7')).toBeVisible();
    expect(choices().queryByRole('radio', { name: /Team Atlas/ })).toBeNull();
    await userEvent.click(choices().getByRole('radio', { name: /Three off/ }));
    await userEvent.click(choices().getByRole('button', { name: 'Apply' }));
    expect(sheet.getByText('$50.00')).toBeVisible();
    expect(sheet.getByText('$47.00')).toBeVisible();
    await userEvent.click(sheet.getByRole('button', { name: 'Put amount' }));
    await enterPassword();
    await waitFor(() => expect(api.to('/plan/order/put')).toHaveLength(1));
    expect(api.to('/plan/order/put')[0]?.body).toMatchObject({ coupon_id: 'k2' });
  });

  it('can do without any', async () => {
    const { api, sheet } = await openWithCoupons();
    await userEvent.click(sheet.getByRole('button', { name: /^Coupon / }));
    await userEvent.click(choices().getByRole('radio', { name: 'No coupon' }));
    await userEvent.click(choices().getByRole('button', { name: 'Apply' }));
    expect(sheet.getByRole('button', { name: 'Coupon Without a coupon' })).toBeVisible();
    await userEvent.click(sheet.getByRole('button', { name: 'Put amount' }));
    await enterPassword();
    await waitFor(() => expect(api.to('/plan/order/put')).toHaveLength(1));
    expect(api.to('/plan/order/put')[0]?.body).not.toHaveProperty('coupon_id');
  });

  it('begins with the coupon that was chosen before', async () => {
    const { sheet } = await openWithCoupons('/plan/goods-detail?id=p1&coupon=k2');
    expect(sheet.getByRole('button', { name: /Coupon \$3.00 off/ })).toBeVisible();
  });

  it('says what a coupon chosen before is waiting for', async () => {
    const { sheet } = await openWithCoupons('/plan/goods-detail?id=p1&coupon=k3');
    expect(sheet.getByText('Only while you follow OP-7')).toBeVisible();
    expect(sheet.queryByText('Paid by the coupon')).toBeNull();
  });

  it.each(['coupon_used', 'coupon_expired', 'coupon_not_applicable', 'coupon_daily_limit'])(
    'keeps what was typed over %s, and asks for the price anew',
    async (error) => {
      const { api, sheet } = await openWithCoupons();
      const before = api.to('/plan/order/quote').length;
      api.answer('POST /plan/order/put', () => new Refusal(405, `Because ${error}`, { error }));
      api.answer(quote, (sent) => quoteWithoutCoupons(amountOf(sent)));
      await userEvent.click(sheet.getByRole('button', { name: 'Put amount' }));
      await enterPassword();
      expect(await sheet.findByText(`Because ${error}`)).toBeVisible();
      expect(sheet.getByLabelText('Amount')).toHaveValue('100');
      await waitFor(() => expect(api.to('/plan/order/quote').length).toBeGreaterThan(before));
      expect(await sheet.findByText('You have no coupons')).toBeVisible();
      api.answer('POST /plan/order/put', () => aPlan);
      await userEvent.click(sheet.getByRole('button', { name: 'Put amount' }));
      await enterPassword();
      await waitFor(() => expect(address()).toBe('/plan/detail?id=42'));
      expect(api.to('/plan/order/put').at(-1)?.body).not.toHaveProperty('coupon_id');
    },
  );

  it('repeats the very same order after a lost answer, whatever the next quote says', async () => {
    const { api, sheet } = await openWithCoupons();
    api.answer('POST /plan/order/put', lostConnection);
    // The order did arrive. Its coupon is used, and another would now be the best.
    api.answer(quote, (sent) => quoteWithoutCoupons(amountOf(sent)));
    await userEvent.click(sheet.getByRole('button', { name: 'Put amount' }));
    await enterPassword();
    expect(await sheet.findByText(/it cannot be carried out twice/)).toBeVisible();
    api.answer('POST /plan/order/put', () => aPlan);
    // Closing the form and opening it again is a retry, too.
    await userEvent.click(sheet.getByRole('button', { name: 'Close' }));
    const again = await openSheet();
    expect(again.getByText(/it cannot be carried out twice/)).toBeVisible();
    expect(again.getByRole('button', { name: /Coupon 10% off/ })).toBeVisible();
    await userEvent.click(again.getByRole('button', { name: 'Put amount' }));
    await enterPassword();
    await waitFor(() => expect(address()).toBe('/plan/detail?id=42'));
    const [first, second] = api.to('/plan/order/put');
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers.get('Idempotency-Key')).toBe(first?.headers.get('Idempotency-Key'));
  });

  it('shows a fee that level or VIP has lowered', async () => {
    const { api, sheet } = await openWithCoupons();
    api.answer(quote, (sent) => ({ ...twoCoupons(amountOf(sent)), fee_rate: '0.04' }));
    await userEvent.type(sheet.getByLabelText('Amount'), '0');
    expect(await sheet.findByText('Platform fee per conversion (4%)')).toBeVisible();
    expect(sheet.getByText('Lowered from 5% by your level or VIP')).toBeVisible();
  });
});
