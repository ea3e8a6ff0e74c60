import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Property } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { aPlan, aProductToPut, aProperty, rightHash } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

function open(property: Partial<Property> = {}, detail: () => unknown = () => aProductToPut) {
  const api = fakeApi({
    'POST /plan/order/app/detail': detail,
    'POST /plan/order/detail': () => aPlan,
    'POST /plan/order/put': () => aPlan,
    'POST /check/password': () => ({}),
    'GET /user/property': () => ({ ...aProperty, ...property }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/plan/goods-detail?id=p1', aUser);
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
    expect(screen.getByText(/Every 1,000 times your ad is shown, \$2.40/)).toBeVisible();
    expect(screen.getByText('$3.10')).toBeVisible();
    expect(screen.getByText('5%')).toBeVisible();
    expect(screen.getByText('$50.00 – $5,000.00')).toBeVisible();
    expect(screen.getByText(/Ad revenue can be lower/)).toBeVisible();
  });

  it('previews each content', async () => {
    open();
    await userEvent.click(await screen.findByRole('tab', { name: 'Landing page' }));
    expect(screen.getByText('Worth waking up for')).toBeVisible();
  });

  it('puts the amount with its price and fees shown first, then opens the plan', async () => {
    const api = open();
    const sheet = await openSheet();
    await userEvent.click(sheet.getByRole('tab', { name: 'Landing page' }));
    await userEvent.type(sheet.getByLabelText('Amount'), '100');
    expect(sheet.getByText('at most 41,666')).toBeVisible();
    expect(sheet.getByText('Platform fee per conversion (5%)')).toBeVisible();
    expect(sheet.getByText('$0.15')).toBeVisible();
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

  it('leads from too little money to a recharge', async () => {
    open({ available: '60.00' });
    const sheet = await openSheet();
    await put(sheet, '100');
    expect(sheet.getByText('Insufficient balance')).toBeVisible();
    await userEvent.click(sheet.getByRole('button', { name: /Recharge/ }));
    expect(await screen.findByRole('link', { name: /Recharges/ })).toBeVisible();
  });

  it('leads to setting a password where there is none', async () => {
    open({ pay_password_set: false });
    const sheet = await openSheet();
    expect(sheet.getByRole('link', { name: 'Set transaction password' })).toHaveAttribute(
      'href',
      '#/wallet/set-password',
    );
    expect(sheet.getByRole('button', { name: 'Put amount' })).toBeDisabled();
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

  it('says when the product is gone', async () => {
    open({}, () => new Refusal(405, 'Not found', { error: 'not_found' }));
    expect(await screen.findByText('This product is no longer offered')).toBeVisible();
  });
});
