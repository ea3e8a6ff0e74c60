import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { PlanDetail, Property } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { aSeries } from '@/testing/event-data';
import { anOffer, aPlan, aProperty, quoteWithoutCoupons, rightHash } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

const larger: PlanDetail = {
  ...aPlan,
  put_amount: '1350.00',
  paid_amount: '1300.00',
  added_amount: '100.00',
};

function open(plan: PlanDetail = aPlan, property: Partial<Property> = {}) {
  const api = fakeApi({
    'POST /plan/order/detail': () => plan,
    'GET /plan/order/series': () => aSeries,
    'POST /plan/order/quote': ({ body }) =>
      quoteWithoutCoupons((body as { amount: string }).amount),
    'POST /plan/order/add_budget': () => larger,
    'POST /check/password': () => ({}),
    'GET /user/property': () => ({ ...aProperty, ...property }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/plan/detail?id=42', aUser);
  return api;
}

const theSheet = () => screen.findByRole('dialog', { name: 'Add to the budget' });

async function openSheet() {
  await userEvent.click(await screen.findByRole('button', { name: 'Add to the budget' }));
  return within(await theSheet());
}

type Sheet = Awaited<ReturnType<typeof openSheet>>;

const type = (sheet: Sheet, amount: string) =>
  userEvent.type(sheet.getByLabelText('Amount'), amount);
const add = (sheet: Sheet) =>
  userEvent.click(sheet.getByRole('button', { name: 'Add to the budget' }));

describe('adding to the budget of a plan', () => {
  it.each([
    ['waits to be put', anOffer],
    ['takes no more', { ...aPlan, addable: null }],
  ])('is not offered where the plan %s', async (_, plan) => {
    open(plan);
    await screen.findByRole('heading', { name: aPlan.product.name });
    expect(screen.queryByRole('button', { name: 'Add to the budget' })).toBeNull();
  });

  it('says what the amount pays for and leads to, and sends it with the password', async () => {
    const api = open();
    const sheet = await openSheet();
    expect(sheet.getByText(/Between \$50\.00 and \$3,750\.00/)).toBeVisible();
    expect(sheet.getByText(/Available: \$10,000\.00/)).toBeVisible();
    await type(sheet, '100');
    // 2.40 per thousand; 3.10 each, less the fee of 5 %.
    expect(sheet.getByText('at most 41,666')).toBeVisible();
    expect(sheet.getByText('Conversions needed: 34')).toBeVisible();
    expect(sheet.getByText('$1,350.00')).toBeVisible();
    expect(sheet.getByText('$9,900.00')).toBeVisible();
    api.answer('POST /plan/order/detail', () => larger);
    await add(sheet);
    expect(await screen.findByText('Add to the budget of “Aurora Coffee”')).toBeVisible();
    await enterPassword();
    expect(await screen.findByText('Added to the budget')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    const [sent] = api.to('/plan/order/add_budget');
    expect(sent?.body).toEqual({ id: '42', amount: '100', password: rightHash });
    expect(sent?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f-]{36}$/);
    await userEvent.click(screen.getByRole('tab', { name: 'Money' }));
    expect(await screen.findByText('$100.00 of it added later')).toBeVisible();
    expect((await openSheet()).getByLabelText('Amount')).toHaveValue('');
  });

  it('reckons with the payout that was agreed, whatever the product’s has become', async () => {
    open({ ...aPlan, payout: { per: 'conversion', amount: '50.00' } });
    const sheet = await openSheet();
    await type(sheet, '100');
    expect(sheet.getByText('Conversions needed: 3')).toBeVisible();
  });

  it('tells while one types, and sends nothing that is out of range', async () => {
    const api = open();
    const sheet = await openSheet();
    await add(sheet);
    expect(sheet.getByText('Cannot be empty')).toBeVisible();
    expect(sheet.getByLabelText('Amount')).toHaveFocus();
    await type(sheet, '4000');
    const range = /Investment amount out of range: \$50\.00 to \$3,750\.00/;
    expect(sheet.getByText(range)).toBeVisible();
    await userEvent.clear(sheet.getByLabelText('Amount'));
    await type(sheet, '49');
    await waitFor(() => expect(sheet.getByText(range)).toBeVisible(), { timeout: 3000 });
    await add(sheet);
    expect(screen.queryByRole('dialog', { name: 'Transaction password' })).toBeNull();
    await userEvent.click(sheet.getByRole('button', { name: '$250' }));
    expect(sheet.queryByText(range)).toBeNull();
    expect(sheet.getByLabelText('Amount')).toHaveValue('250');
    expect(api.to('/plan/order/add_budget')).toHaveLength(0);
  });

  it('offers to recharge where the balance does not cover it', async () => {
    open(aPlan, { available: '60.00' });
    const sheet = await openSheet();
    await type(sheet, '61');
    expect(sheet.getByText('Insufficient balance')).toBeVisible();
    expect(sheet.getByText(/recharge through customer service/)).toBeVisible();
    expect(sheet.queryByText('Available afterwards')).toBeNull();
  });

  it('keeps what was typed, and why it was refused, of a plan that ended meanwhile', async () => {
    const api = open();
    const sheet = await openSheet();
    await type(sheet, '100');
    const ended: PlanDetail = { ...aPlan, status: 'put_finished', addable: null };
    api.answer('POST /plan/order/detail', () => ended);
    api.answer(
      'POST /plan/order/add_budget',
      () => new Refusal(405, 'Only while it runs', { error: 'plan_not_running' }),
    );
    await add(sheet);
    await enterPassword();
    expect(await sheet.findByText('Only while it runs')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull());
    expect(sheet.getByLabelText('Amount')).toHaveValue('100');
  });

  it('says the bounds where the server found the amount out of range', async () => {
    const api = open();
    const sheet = await openSheet();
    await type(sheet, '100');
    api.answer('POST /plan/order/detail', () => ({
      ...aPlan,
      addable: { min: '50.00', max: '70.00' },
    }));
    const refusal = new Refusal(405, 'Out of range', { error: 'amount_out_of_range' });
    api.answer('POST /plan/order/add_budget', () => refusal);
    await add(sheet);
    await enterPassword();
    expect((await sheet.findAllByText(/out of range: \$50\.00 to \$70\.00/)).length).toBe(2);
    expect(sheet.getByLabelText('Amount')).toHaveValue('100');
  });

  it('repeats the same order after a lost connection', async () => {
    const api = open();
    const sheet = await openSheet();
    await type(sheet, '100');
    api.answer('POST /plan/order/add_budget', lostConnection);
    await add(sheet);
    await enterPassword();
    expect(await sheet.findByText(/it cannot be carried out twice/)).toBeVisible();
    expect(sheet.getByLabelText('Amount')).toHaveValue('100');
    api.answer('POST /plan/order/add_budget', () => larger);
    await add(sheet);
    await enterPassword();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const keys = api
      .to('/plan/order/add_budget')
      .map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it('leads to the password that is missing, with what was typed kept', async () => {
    const api = open(aPlan, { pay_password_set: false });
    const sheet = await openSheet();
    await type(sheet, '100');
    await userEvent.click(await sheet.findByRole('button', { name: 'Set transaction password' }));
    await waitFor(() => expect(window.location.hash).toBe('#/wallet/set-password'));
    api.answer('GET /user/property', () => aProperty);
    act(() => window.history.back());
    expect(within(await theSheet()).getByLabelText('Amount')).toHaveValue('100');
  });

  it('is closed by Escape, and the button has the focus again', async () => {
    open();
    await openSheet();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('button', { name: 'Add to the budget' })).toHaveFocus();
  });
});
