import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { BankCard, Property } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aConfig, aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { aBankCard, aProperty, aWithdrawal, rightHash, someMethods } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

type World = { property?: Partial<Property>; card?: BankCard | null; simulated?: boolean };

function open({ property = {}, card = aBankCard, simulated = false }: World = {}) {
  const config = {
    ...aConfig,
    withdraw_method_config: someMethods.map((one) => ({ ...one, networks: [...one.networks] })),
    data_source: simulated ? ('simulated' as const) : ('live' as const),
  };
  const api = fakeApi({
    'GET /user/property': () => ({ ...aProperty, ...property }),
    'GET /bank_card/detail': () => card,
    'GET /basic_config': () => config,
    'GET /withdrawals': () => ({
      items: [{ ...aWithdrawal, id: 'w0', status: 'rejected', reason: 'Wrong holder' }],
      next_cursor: null,
    }),
    'GET /withdrawals/pace': () => ({ measured: 20, half_within: 5400, all_within: 172800 }),
    'POST /user/withdraw': () => aWithdrawal,
    'POST /check/password': () => ({}),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/wallet/withdraw', aUser, config);
  return api;
}

const amount = () => screen.findByLabelText('Amount');

async function withdraw(text: string) {
  const input = await amount();
  await userEvent.clear(input);
  if (text) await userEvent.type(input, text);
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
}

describe('WithdrawPage', () => {
  it('says why a withdrawal waits, how much does, and leads nowhere else', async () => {
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'What is “Withdrawing”?' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'What is “Withdrawing”?' }));
    expect(sheet.getByText('$388.51')).toBeVisible();
    expect(sheet.getByText(/That is why it waits/)).toBeVisible();
    expect(sheet.queryByRole('link')).toBeNull();
  });

  it('says before anything is typed until when nothing leaves', async () => {
    const api = open({ property: { payouts_held_until: '2026-02-03T12:30:00.000Z' } });
    expect(await screen.findByText(/possible again from Feb 3, 2026/)).toBeVisible();
    expect(screen.getByText(/If it was not you/)).toBeVisible();
    await userEvent.type(await amount(), '10');
    expect(screen.getByRole('button', { name: 'Withdraw' })).toBeDisabled();
    expect(api.to('/user/withdraw')).toHaveLength(0);
  });

  it('shows fee and destination before, and the result with its status after', async () => {
    const api = open();
    await userEvent.type(await amount(), '100');
    expect(screen.getByText('•••• 6789')).toBeVisible();
    expect(screen.getByText('Fee (1%)').nextElementSibling).toHaveTextContent('$1.00');
    expect(screen.getByText('You receive').nextElementSibling).toHaveTextContent('$99.00');
    await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
    expect(await screen.findByText(/Fee \$1\.00 \(1%\)/)).toBeVisible();
    await enterPassword();
    expect(await screen.findByText('Withdrawal requested')).toHaveFocus();
    expect(screen.getByText('Under review')).toBeVisible();
    expect(screen.getByText(/Customer service checks it/)).toBeVisible();
    const [sent] = api.to('/user/withdraw');
    expect(sent?.body).toEqual({ amount: '100', password: rightHash });
    expect(sent?.headers.get('Idempotency-Key')).toBeTruthy();
  });

  it('keeps the amount for whoever sets the forgotten password first', async () => {
    const api = open();
    const wrong = { error: 'wrong_pay_password', attempts_left: 3 };
    api.answer('POST /check/password', () => new Refusal(405, 'Wrong', wrong));
    await withdraw('250');
    await enterPassword('654321');
    const forgotten = { name: 'Forgot your transaction password?' };
    await userEvent.click(await screen.findByRole('link', forgotten));
    await waitFor(() => expect(address()).toBe('/wallet/set-password'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    window.history.back();
    expect(await amount()).toHaveValue('250');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(api.to('/user/withdraw')).toHaveLength(0);
  });

  it('takes all that is available', async () => {
    open({ property: { available: '1234.56' } });
    await amount();
    await userEvent.click(screen.getByRole('button', { name: 'All' }));
    expect(await amount()).toHaveValue('1,234.56');
  });

  it.each([
    ['', 'Cannot be empty'],
    ['0.00', 'The amount must be greater than 0'],
    ['10000.01', 'Insufficient balance'],
  ])('asks for no password for %j', async (text, problem) => {
    open();
    await withdraw(text);
    expect(screen.getByText(problem)).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('asks for a card first', async () => {
    open({ card: null });
    expect(await screen.findByRole('link', { name: 'Add an account or address' })).toHaveAttribute(
      'href',
      '#/wallet/bind-card',
    );
    expect(screen.queryByLabelText('Amount')).toBeNull();
  });

  it('asks for a password first', async () => {
    open({ property: { pay_password_set: false } });
    expect(await screen.findByRole('link', { name: 'Set transaction password' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Withdraw' })).toBeDisabled();
  });

  it('keeps the amount for who goes and sets a password', async () => {
    open({ property: { pay_password_set: false } });
    await userEvent.type(await amount(), '100');
    await userEvent.click(screen.getByRole('link', { name: 'Set transaction password' }));
    expect(await screen.findByText('New transaction password')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(await amount()).toHaveValue('100');
  });

  it('says which start-up funds block it, and offers customer service and to return them', async () => {
    open({ property: { startup_outstanding: '500.00' } });
    await userEvent.click(await screen.findByRole('button', { name: 'Ask customer service' }));
    const dialog = await screen.findByRole('dialog', { name: 'Customer service' });
    await userEvent.click(
      within(dialog).getAllByRole('button', { name: 'Close' })[0] as HTMLElement,
    );
    expect(await screen.findByRole('button', { name: 'Return $500.00' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Withdraw' })).toBeDisabled();
  });

  it('says the outstanding amount of a refusal once, with the way out', async () => {
    const api = open();
    const data = { error: 'startup_funds_outstanding', outstanding: '321.00' };
    api.answer('POST /user/withdraw', () => new Refusal(405, 'Outstanding: $321.00.', data));
    await withdraw('100');
    await enterPassword();
    expect(await screen.findByText(/321/)).toHaveTextContent(/^Outstanding: \$321\.00\.$/);
    expect(screen.getByRole('link', { name: 'Return it in the wallet' })).toHaveAttribute(
      'href',
      '#/wallet',
    );
    expect(await amount()).toHaveValue('100');
  });

  it.each([
    ['bank_card_not_bound', 'link', 'Add an account or address'],
    ['insufficient_balance', 'button', 'Recharge through customer service'],
    ['chargeback_due', 'button', 'Recharge through customer service'],
  ] as const)('shows %s with a way out', async (error, role, name) => {
    const api = open();
    api.answer('POST /user/withdraw', () => new Refusal(405, 'The reason', { error }));
    await withdraw('100');
    await enterPassword();
    expect(await screen.findByText('The reason')).toBeVisible();
    expect(screen.getByRole(role, { name })).toBeVisible();
  });

  it('keeps the amount over a lost connection and repeats the same order', async () => {
    const api = open();
    api.answer('POST /user/withdraw', lostConnection);
    await withdraw('100');
    await enterPassword();
    expect(await screen.findByText(/it cannot be carried out twice/)).toBeVisible();
    expect(await amount()).toHaveValue('100');
    api.answer('POST /user/withdraw', () => aWithdrawal);
    await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
    await enterPassword();
    expect(await screen.findByText('Withdrawal requested')).toBeVisible();
    const keys = api.to('/user/withdraw').map(({ headers }) => headers.get('Idempotency-Key'));
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(2);
  });

  it('says in a simulated installation that nobody is paid', async () => {
    open({ simulated: true });
    expect(await screen.findByText(/nobody is paid/)).toBeVisible();
  });

  it('says when it arrives, as far as the latest ones tell', async () => {
    open();
    expect(
      await screen.findByText(
        /half of the latest ones were paid within 2 hours, all of them within 2 days/,
      ),
    ).toBeVisible();
    cleanup();
    const few = { measured: 1, half_within: null, all_within: null };
    open().answer('GET /withdrawals/pace', () => few);
    expect(await screen.findByText(/too few were paid recently/)).toBeVisible();
  });

  it('is cancelled while nobody has approved it', async () => {
    const api = open();
    const list = (status: string) => () => ({
      items: [
        { ...aWithdrawal, id: 'w1', status },
        { ...aWithdrawal, id: 'w2', status: 'approved' },
      ],
      next_cursor: null,
    });
    api.answer('GET /withdrawals', list('pending'));
    api.answer('POST /user/withdraw/cancel', () => ({ ...aWithdrawal, status: 'cancelled' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel withdrawal' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this withdrawal?' }));
    api.answer('GET /withdrawals', list('cancelled'));
    // “Cancel” could be either.
    const ways = dialog.getAllByRole('button').map((button) => button.textContent);
    expect(ways.slice(-2)).toEqual(['Cancel withdrawal', 'Keep it']);
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel withdrawal' }));
    expect(await screen.findByText('Withdrawal cancelled')).toBeVisible();
    expect(await screen.findByText('Cancelled')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Cancel withdrawal' })).toBeNull();
    expect(api.to('/user/withdraw/cancel')[0]?.body).toEqual({ id: 'w1' });
  });

  it('offers the form again once the one just asked for is cancelled', async () => {
    const api = open();
    const list = (status: string) => () => ({
      items: [{ ...aWithdrawal, status }],
      next_cursor: null,
    });
    api.answer('GET /withdrawals', list('pending'));
    api.answer('POST /user/withdraw/cancel', () => ({ ...aWithdrawal, status: 'cancelled' }));
    await withdraw('100');
    await enterPassword();
    expect(await screen.findByText('Withdrawal requested')).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel withdrawal' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this withdrawal?' }));
    api.answer('GET /withdrawals', list('cancelled'));
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel withdrawal' }));
    expect(await amount()).toBeVisible();
    expect(screen.queryByText('Withdrawal requested')).toBeNull();
    expect(screen.queryByText('Under review')).toBeNull();
  });

  it('says no longer that it is checked once it was', async () => {
    const approved = { ...aWithdrawal, status: 'approved' };
    open().answer('GET /withdrawals', () => ({ items: [approved], next_cursor: null }));
    await withdraw('100');
    await enterPassword();
    expect(await screen.findByText('Withdrawal requested')).toBeVisible();
    await waitFor(() => expect(screen.queryByText(/Customer service checks it/)).toBeNull());
  });

  it('says that it was approved meanwhile', async () => {
    const api = open();
    const pending = { ...aWithdrawal, id: 'w1', status: 'pending' };
    api.answer('GET /withdrawals', () => ({ items: [pending], next_cursor: null }));
    const late = new Refusal(405, 'Decided', { error: 'already_decided' });
    api.answer('POST /user/withdraw/cancel', () => late);
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel withdrawal' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel withdrawal' }));
    expect(await screen.findByText(/approved in the meantime/)).toBeVisible();
  });

  it('lists earlier withdrawals with their reason', async () => {
    open();
    expect(await screen.findByText('Rejected')).toBeVisible();
    expect(screen.getByText('Reason: Wrong holder')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Loading')).toBeNull());
  });
});
