import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { Flow, Property } from '@/api/types';
import { clearSeenFlags } from '@/shared/account/seen-flag';
import { billedBy } from '@/shared/terms/billed-by';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { fundingRow } from '@/testing/funding-row';
import { aDaysPage, aFlow, aFlowRow, aPlan, aProperty, noRechargeForm } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

function open(property: Partial<Property> = {}, funds?: () => unknown, row = aFlowRow) {
  const api = fakeApi({
    'GET /user/property': funds ?? (() => ({ ...aProperty, ...property })),
    'GET /transaction_flow/by_day': ({ query }) =>
      query.get('cursor') === 'c1'
        ? { ...aDaysPage, items: [{ ...aFlowRow, id: 'f9', plan: anotherPlan }] }
        : { ...aDaysPage, items: [row], next_cursor: query.get('kind') ? null : 'c1' },
    'GET /user/recharges': () => ({ items: [], next_cursor: null }),
    'GET /user/recharge/announcements': () => noRechargeForm,
    'GET /transaction_flow/export': () => aFile('statement-2026-11.pdf'),
    'GET /transaction_flow/proof': () => aFile('placard-proof-2026-11.txt'),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/wallet', aUser);
  return api;
}

const anotherPlan = { id: '43', number: 'P2222222AA', product: 'The oldest' };

const lineOf = (line: Partial<Flow>) => ({ ...aFlowRow, plan: null, line: { ...aFlow, ...line } });

const aFile = (name: string) =>
  new Response('%PDF', { headers: { 'Content-Disposition': `attachment; filename="${name}"` } });

const listOf =
  (plans: Record<string, unknown[]>) =>
  ({ query }: { query: URLSearchParams }) => ({
    items: plans[query.get('status') ?? ''] ?? [],
    next_cursor: null,
  });

async function openPart(name: string) {
  await total();
  await userEvent.click(within(part(name)).getByRole('button', { name: new RegExp(`, ${name}$`) }));
}

const total = () => screen.findByRole('region', { name: 'Total assets' });

const part = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name}`) });

describe('WalletPage', () => {
  it('shows the total, what it is made of, and the credit beside it', async () => {
    open();
    expect(await total()).toHaveTextContent('$12,846.37');
    expect(await total()).toHaveTextContent('$10,000.00');
    for (const [name, amount] of [
      ['To be consumed', '$1,496.86'],
      ['To be settled', '$961.00'],
      ['Withdrawing', '$388.51'],
    ] as const) {
      expect(part(name)).toHaveTextContent(amount);
    }
    expect(part('Available funds')).toHaveTextContent('77.8%');
    expect(screen.getByRole('rowheader', { name: /^To be consumed/ })).toHaveTextContent(
      'In the budgets of your plans',
    );
    expect(screen.getByText(/not part of your assets/)).toBeVisible();
    expect(screen.queryByRole('row', { name: /^Deposit/ })).toBeNull();
  });

  it('gives each part its share with one decimal, and none of a total of nothing', async () => {
    const nothing = { total: '0.00', to_be_consumed: '0.00', to_be_settled: '0.00' };
    open({ ...nothing, available: '970.00', withdrawing: '30.00' });
    await total();
    expect(part('Withdrawing')).toHaveTextContent('3.0%');
    cleanup();
    open({ ...nothing, available: '0.00', withdrawing: '0.00' });
    await total();
    expect(part('Withdrawing')).toHaveTextContent('$0.00');
    expect(screen.queryByText(/%/)).toBeNull();
  });

  it('announces beside the total what settlement will take of it', async () => {
    open();
    await total();
    const fee = screen.getByText('Platform fee at settlement').closest('dt');
    expect(fee).toHaveTextContent('Taken from your total assets when the plans are settled');
    expect(fee?.nextElementSibling).toHaveTextContent('-$48.05');
  });

  it('explains the estimate of the fee by the plans that it is the sum of', async () => {
    const api = open({ settlement_fees: '53.05' });
    const plans = [aPlan, { ...aPlan, id: '43', revenue: '100.04' }];
    api.answer('GET /plan/order/list', listOf({ waiting_settlement: plans }));
    const help = { name: 'What is “Platform fee at settlement”?' };
    await userEvent.click(await screen.findByRole('button', help));
    const sheet = within(await screen.findByRole('dialog', help));
    expect(sheet.getByText(/an estimate based on what your plans have earned/)).toBeVisible();
    const parts = within(await sheet.findByRole('table', { name: 'By plan' })).getAllByRole('cell');
    // 5 % of 961.00 and of 100.04, rounded down.
    expect(parts.map((part) => part.textContent)).toEqual(['$48.05', '$5.00', '$53.05']);
    expect(sheet.getByRole('link', { name: 'Funding details: Platform fee' })).toHaveAttribute(
      'href',
      '#/wallet?kind=profit_sharing',
    );
  });

  it('says by when on the own clock what is not billed yet will be', async () => {
    open({ unbilled: '10.60' });
    await total();
    const unbilled = screen.getByText('Not billed yet').closest('dt');
    expect(unbilled).toHaveTextContent(`It is billed by ${billedBy()} at the latest.`);
    expect(unbilled?.nextElementSibling).toHaveTextContent('$10.60');
  });

  it('announces no fee where none is due', async () => {
    open({ settlement_fees: '0.00' });
    await total();
    expect(screen.queryByText('Platform fee at settlement')).toBeNull();
  });

  it('hides every amount and remembers it', async () => {
    open();
    await userEvent.click(within(await total()).getByRole('button', { name: 'Hide amounts' }));
    expect(screen.queryByText(/\d,\d{3}\.\d\d/)).toBeNull();
    expect(localStorage.getItem('wallet_hidden')).toBe('1');
    await userEvent.click(screen.getByRole('button', { name: 'Hide amounts' }));
    expect(await total()).toHaveTextContent('$12,846.37');
  });

  it('explains each figure as a sum that can be checked', async () => {
    open({ deposit: '300.00' });
    await userEvent.click(await screen.findByRole('button', { name: 'Explain' }));
    const sheet = within(screen.getByRole('dialog', { name: 'How your assets add up' }));
    for (const [name, amount] of [
      ['Available funds', '$10,000.00'],
      ['To be consumed', '$1,496.86'],
      ['To be settled', '$961.00'],
      ['Withdrawing', '$388.51'],
      ['Exchanging', '$0.00'],
      ['Deposit', '$300.00'],
      ['Total assets', '$12,846.37'],
      ['Promotional credit', '$50.00'],
    ] as const) {
      expect(sheet.getByText(name).nextElementSibling).toHaveTextContent(amount);
    }
    expect(sheet.getByText(/recorded but not settled yet/)).toBeVisible();
  });

  it('goes through the parts by arrow keys, as one stop, each opening what it is the sum of', async () => {
    const api = open({ exchanging: '5.00', deposit: '300.00' });
    api.answer('GET /acceptor/list', () => []);
    api.answer('GET /acceptor/order/list', () => ({ items: [], next_cursor: null, current: null }));
    await total();
    const amounts = () =>
      ['Available funds', 'To be consumed', 'To be settled', 'Withdrawing', 'Exchanging'].map(
        (name) => within(part(name)).getByRole('button', { name: new RegExp(`, ${name}$`) }),
      );
    amounts()[0]?.focus();
    expect(amounts().map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1, -1]);
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(amounts()[3]).toHaveFocus();
    // A question mark stands beside the points and is none of them.
    within(part('Withdrawing'))
      .getByRole('button', { name: /^What is/ })
      .focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(amounts()[4]).not.toHaveFocus();
    amounts()[4]?.focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe('/wallet/foreign-exchange'));
  });

  it('says how much of what plans hold is used and not billed yet', async () => {
    open().answer('GET /user/property', () => ({ ...aProperty, unbilled: '0.37' }));
    const term = await screen.findByText('Not billed yet');
    expect(term.nextElementSibling ?? term.closest('div')).toHaveTextContent('$0.37');
  });

  it('leads from the available funds to the lines of this month', async () => {
    open();
    await openPart('Available funds');
    await waitFor(() => expect(address()).toMatch(/^\/wallet\?month=\d{4}-\d\d$/));
    await waitFor(() => expect(document.activeElement).toHaveTextContent(/^Funding details/));
  });

  it('lists the plans that hold the money, as a sum that agrees', async () => {
    const held = {
      ...aPlan,
      put_amount: '2000.00',
      paid_amount: '1950.00',
      consumed: '503.14',
      to_be_consumed: '1496.86',
    };
    const api = open();
    api.answer(
      'GET /plan/order/list',
      listOf({ putting: [held], waiting_settlement: [{ ...aPlan, id: '43' }] }),
    );
    // 1,496.86 of the first; the other one's 446.86 are more than the wallet says: no amount is said.
    await openPart('To be consumed');
    const sheet = within(await screen.findByRole('dialog', { name: 'What is “To be consumed”?' }));
    expect(await sheet.findAllByRole('link', { name: /Aurora Coffee/ })).toHaveLength(2);
    expect(within(sheet.getByRole('table', { name: 'By plan' })).queryByText(/\$/)).toBeNull();
    expect(sheet.queryByText('Total')).toBeNull();
    await userEvent.keyboard('{Escape}');
    api.answer('GET /plan/order/list', listOf({ putting: [held] }));
    await openPart('To be consumed');
    expect(await screen.findByRole('row', { name: 'Total $1,496.86' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Funding details: Ad billing' })).toHaveAttribute(
      'href',
      '#/wallet?kind=ad_billing',
    );
  });

  it('says when the next of what is to be settled becomes available', async () => {
    const later = { ...aPlan, id: '43', revenue: '61.00', settles_at: '2026-12-02T09:00:00Z' };
    const first = { ...aPlan, revenue: '900.00' };
    const api = open();
    api.answer(
      'GET /plan/order/list',
      listOf({ put_finished: [later], waiting_settlement: [first] }),
    );
    await openPart('To be settled');
    expect(await screen.findByText('Next settlement expected on Nov 28, 2026.')).toBeVisible();
    expect(screen.getByRole('row', { name: 'Total $961.00' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    api.answer('GET /plan/order/list', listOf({ putting: [{ ...aPlan, settles_at: null }] }));
    await openPart('To be settled');
    expect(await screen.findByText(/once the plan’s delivery has ended/)).toBeVisible();
  });

  it('offers to read the plans again that could not be read', async () => {
    const api = open();
    api.answer('GET /plan/order/list', lostConnection);
    await openPart('To be settled');
    const reload = await screen.findByRole('button', { name: 'Reload' }, { timeout: 4000 });
    api.answer('GET /plan/order/list', listOf({}));
    await userEvent.click(reload);
    expect(await screen.findByText('No plan is part of it now.')).toBeVisible();
  });

  it('closes the answer whose link leads to lines of the same page', async () => {
    open();
    const help = { name: 'What is “Promotional credit”?' };
    await userEvent.click(await screen.findByRole('button', help));
    const sheet = within(await screen.findByRole('dialog', help));
    await userEvent.click(sheet.getByRole('link', { name: 'Funding details: Coupon' }));
    await waitFor(() => expect(address()).toBe('/wallet?kind=coupon'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toHaveTextContent(/^Funding details/));
  });

  it('points out its question marks once, and again after a logout', async () => {
    open();
    const hint = /Tap a question mark/;
    expect(await screen.findByText(hint)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Got it' }));
    expect(screen.queryByText(hint)).toBeNull();
    expect(screen.getByRole('button', { name: 'What is “Available funds”?' })).toHaveFocus();
    cleanup();
    open();
    await total();
    expect(screen.queryByText(hint)).toBeNull();
    clearSeenFlags();
    cleanup();
    open();
    expect(await screen.findByText(hint)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'What is “Withdrawing”?' }));
    expect(await screen.findByText(/nobody decides alone/)).toBeVisible();
    expect(screen.queryByText(hint)).toBeNull();
  });

  it('leads to card, exchange, password and deposit', async () => {
    open({ bank_card_bound: false });
    const more = within(await screen.findByRole('navigation', { name: 'More of the wallet' }));
    for (const [name, href] of [
      ['Add bank account', '#/wallet/bind-card'],
      ['Foreign exchange', '#/wallet/foreign-exchange'],
      ['Password', '#/wallet/set-password'],
      ['Deposit', '#/wallet/deposit'],
    ] as const) {
      expect(more.getByRole('link', { name })).toHaveAttribute('href', href);
    }
  });

  it('lists the movements with sign, balance and remark, by month', async () => {
    open();
    const list = await screen.findByRole('list', { name: 'Funding details' });
    const row = within(list).getByRole('button', { name: /^Aurora Coffee/ });
    expect(row).toHaveTextContent('Budget set aside P7KQ2M9XRT');
    expect(row).toHaveTextContent('-$1,250.00');
    expect(row).toHaveTextContent('Available $8,750.00');
    const month = within(list).getByRole('heading', { name: 'November 2026' });
    expect(month.parentElement).toHaveTextContent(
      'Money in $6,300.00, money out $1,102.23 excluding refunds of $634.86',
    );
  });

  it('shows all of a line, with the way to its plan', async () => {
    open();
    await userEvent.click(await fundingRow(/Budget set aside/));
    const sheet = within(screen.getByRole('dialog', { name: 'Budget set aside' }));
    expect(sheet.getByText('-$1,250.00')).toBeVisible();
    expect(sheet.getByText('Product').nextElementSibling).toHaveTextContent('Aurora Coffee');
    expect(sheet.getByText('Plan').nextElementSibling).toHaveTextContent('P7KQ2M9XRT');
    // It would say the plan's number once more.
    expect(sheet.queryByText('Remark')).toBeNull();
    const after = sheet.getByText('Available afterwards').nextElementSibling;
    expect(after).toHaveTextContent('$8,750.00');
    expect(sheet.getByRole('link', { name: 'Open the plan' })).toHaveAttribute(
      'href',
      '#/plan/detail?id=42',
    );
  });

  it.each([
    ['withdrawal', 'See your withdrawals', '#/wallet/withdraw'],
    ['exchange', 'See your exchanges', '#/wallet/foreign-exchange'],
    ['deposit', 'See your deposit', '#/wallet/deposit'],
    ['vip', 'See level and VIP', '#/ad-center/level'],
  ] as const)('leads from a line of a %s to it', async (type, name, href) => {
    open({}, undefined, lineOf({ kind: 'refund', ref: { type, id: '7' } }));
    await userEvent.click(await fundingRow(/Refund/));
    expect(screen.getByRole('link', { name })).toHaveAttribute('href', href);
  });

  it('leads nowhere from a line without a page', async () => {
    open({}, undefined, lineOf({ kind: 'system_top_up', ref: { type: 'recharge', id: '7' } }));
    await userEvent.click(await fundingRow(/System top-up/));
    const sheet = within(screen.getByRole('dialog', { name: 'System top-up' }));
    expect(sheet.queryByRole('link')).toBeNull();
  });

  it('says which money came from the plan’s budget', async () => {
    open({}, undefined, lineOf({ account: 'held', source: 'available', kind: 'refund' }));
    expect(await fundingRow(/Refund/)).toHaveTextContent('From the plan’s budget');
  });

  it('filters by month from the chart and by kind, and keeps the chart whole', async () => {
    const api = open();
    const bar = await screen.findByRole('button', { name: /Oct: Money in \$4,100.00, Money out/ });
    await userEvent.click(bar);
    await waitFor(() =>
      expect(api.to('/transaction_flow/by_day').at(-1)?.query.get('month')).toBe('2026-10'),
    );
    await waitFor(() => expect(bar).toHaveAttribute('aria-pressed', 'true'));
    expect(screen.getByRole('button', { name: /Nov: Money in/ })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Month: October 2026' })).toBeVisible();
    expect(await screen.findByText('+$4,100.00')).toBeVisible();
    expect(screen.getByText('-$3,900.00')).toBeVisible();
    await userEvent.click(screen.getByRole('tab', { name: 'Settlement' }));
    await waitFor(() =>
      expect(api.to('/transaction_flow/by_day').at(-1)?.query.get('kind')).toBe('settlement'),
    );
    await waitFor(() => expect(screen.queryByText('+$4,100.00')).toBeNull());
  });

  it('reads the months by arrow keys, as one stop and as a table', async () => {
    const api = open();
    const month = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}: `) });
    await screen.findByRole('button', { name: /^Oct: / });
    expect([month('Oct').tabIndex, month('Nov').tabIndex]).toEqual([-1, 0]);
    month('Nov').focus();
    await userEvent.keyboard('{ArrowLeft}{Enter}');
    expect(month('Oct')).toHaveFocus();
    await waitFor(() =>
      expect(api.to('/transaction_flow/by_day').at(-1)?.query.get('month')).toBe('2026-10'),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Show as a table' }));
    const table = within(screen.getByRole('table', { name: 'Money in and out by month' }));
    expect(table.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'MonthMoney inMoney out',
      'October 2026$4,100.00$3,900.00',
      'November 2026$6,300.00$1,102.23',
    ]);
    expect(screen.getByText(/^Both exclude refunds, which/)).toBeVisible();
  });

  it('saves the statement of a month, and says how it went', async () => {
    const api = open();
    const saved: string[] = [];
    URL.createObjectURL = () => 'blob:statement';
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download);
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Statement' }));
    const sheet = within(screen.getByRole('dialog', { name: 'Save a month’s statement' }));
    api.answer('GET /transaction_flow/export', lostConnection);
    await userEvent.click(sheet.getByRole('button', { name: 'Save as PDF' }));
    expect(await sheet.findByText(/could not be downloaded/)).toBeVisible();
    api.answer('GET /transaction_flow/export', () => aFile('statement-2026-11.pdf'));
    await userEvent.click(sheet.getByRole('button', { name: 'Save as PDF' }));
    expect(await screen.findByText('Statement saved')).toBeVisible();
    expect(saved).toEqual(['statement-2026-11.pdf']);
    const [, sent] = api.to('/transaction_flow/export');
    expect(sent?.query.get('format')).toBe('pdf');
    expect(sent?.query.get('month')).toMatch(/^\d{4}-\d\d$/);
    expect(sent?.headers.get('X-CT')).toBe('token-1');
  });

  it('saves the proof of a month, and says how it went', async () => {
    const api = open();
    const saved: string[] = [];
    URL.createObjectURL = () => 'blob:proof';
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download);
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Statement' }));
    const sheet = within(screen.getByRole('dialog', { name: 'Save a month’s statement' }));
    api.answer('GET /transaction_flow/proof', lostConnection);
    await userEvent.click(sheet.getByRole('button', { name: 'Save proof' }));
    expect(await sheet.findByText(/proof could not be downloaded/)).toBeVisible();
    const refusal = new Refusal(405, 'There is no public log here', { error: 'no_public_log' });
    api.answer('GET /transaction_flow/proof', () => refusal);
    await userEvent.click(sheet.getByRole('button', { name: 'Save proof' }));
    expect(await screen.findByText('There is no public log here')).toBeVisible();
    expect(sheet.queryByText(/try again/)).toBeNull();
    api.answer('GET /transaction_flow/proof', () => aFile('placard-proof-2026-11.txt'));
    await userEvent.click(sheet.getByRole('button', { name: 'Save proof' }));
    expect(await screen.findByText('Proof saved')).toBeVisible();
    expect(saved).toEqual(['placard-proof-2026-11.txt']);
    const sent = api.to('/transaction_flow/proof').at(-1);
    expect([...(sent?.query.keys() ?? [])]).toEqual(['month']);
    expect(sent?.query.get('month')).toMatch(/^\d{4}-\d\d$/);
  });

  it('reads on by the cursor', async () => {
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }));
    expect(await screen.findByText('The oldest')).toBeVisible();
  });

  it('offers to reload after a lost connection', async () => {
    const api = open({}, lostConnection);
    const reload = await screen.findByRole('button', { name: 'Reload' }, { timeout: 4000 });
    api.answer('GET /user/property', () => aProperty);
    await userEvent.click(reload);
    expect(await total()).toHaveTextContent('$12,846.37');
  });
});
