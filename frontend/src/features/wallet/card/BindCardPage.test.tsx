import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import type { BankCard } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aConfig, aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { fillIn } from '@/testing/fill-in';
import { aBankCard, aProperty, aTronAddress, rightHash, someMethods } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

function open(
  card: BankCard | null,
  hasPassword = false,
  config = aConfig,
  at = '/wallet/bind-card',
  methods: readonly object[] = someMethods,
) {
  let bound = card;
  const api = fakeApi({
    'GET /user/property': () => ({ ...aProperty, pay_password_set: hasPassword }),
    'POST /check/password': () => ({}),
    'GET /bank_card/detail': () => bound,
    'GET /basic_config': () => ({ ...config, withdraw_method_config: methods }),
    'POST /bank_card/edit': () => {
      bound = { ...aBankCard, bank_account: '*********4321' };
      return bound;
    },
    'GET /withdrawals': () => ({ items: [], next_cursor: null }),
    'GET /withdrawals/pace': () => ({ measured: 0, half_within: null, all_within: null }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(at, aUser, config);
  return api;
}

const account = () => screen.findByLabelText('Account number');

async function fillBank() {
  await fillIn(await screen.findByLabelText('Name for this account'), 'Everyday');
  await fillIn(screen.getByLabelText('Account holder'), 'Lena Vogt');
  await fillIn(screen.getByLabelText('Mobile number'), '+49 170');
  await fillIn(screen.getByLabelText('Bank'), 'North Bank');
  await fillIn(await account(), '40001234321');
  await fillIn(screen.getByLabelText('Branch'), 'Hamburg');
}

describe('BindCardPage', () => {
  it('binds a first card without a question', async () => {
    const api = open(null);
    await fillBank();
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('•••• 4321')).toBeVisible();
    expect(api.to('/bank_card/edit')[0]?.body).toEqual({
      method: 'bank_card',
      card_name: 'Everyday',
      user_name: 'Lena Vogt',
      mobile: '+49 170',
      bank_name: 'North Bank',
      bank_account: '40001234321',
      branch_name: 'Hamburg',
      beneficiary_name: null,
      bank_address: null,
    });
  });

  it('names a single method, and begins with it where the bound one is offered no more', async () => {
    const gone: BankCard = { method: 'wallet_address', network: 'TRC20', address: aTronAddress };
    open(gone, false, aConfig, '/wallet/bind-card', someMethods.slice(0, 1));
    expect(await account()).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Bank account' })).toBeVisible();
    expect(screen.queryByRole('tab')).toBeNull();
  });

  it('goes on with a method that is still offered, and keeps what was typed for it', async () => {
    open(null);
    await fillBank();
    await userEvent.click(screen.getByRole('tab', { name: 'Wallet address' }));
    await userEvent.click(screen.getByLabelText(/^Network/));
    await userEvent.click(screen.getByRole('button', { name: 'TRC20' }));
    await fillIn(screen.getByLabelText('Address'), aTronAddress);
    act(() => {
      window.location.hash = '#/wallet';
    });
    cleanup();
    open(null, false, aConfig, '/wallet/bind-card', someMethods.slice(0, 1));
    expect(await account()).toHaveValue('40001234321');
    expect(screen.queryByLabelText('Address')).toBeNull();
  });

  it('asks for the network again where the chosen one is no longer offered', async () => {
    open(null);
    await userEvent.click(await screen.findByRole('tab', { name: 'Wallet address' }));
    await userEvent.click(screen.getByLabelText(/^Network/));
    await userEvent.click(screen.getByRole('button', { name: 'TRC20' }));
    await fillIn(screen.getByLabelText('Address'), aTronAddress);
    cleanup();
    const [bank, wallet] = someMethods;
    const api = open(null, false, aConfig, '/wallet/bind-card', [
      bank,
      { ...wallet, networks: ['ERC20'] },
    ]);
    expect(await screen.findByLabelText('Address')).toHaveValue(aTronAddress);
    expect(screen.getByLabelText(/^Network/)).toHaveTextContent('Choose a network');
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('Cannot be empty')).toBeVisible();
    expect(api.to('/bank_card/edit')).toHaveLength(0);
  });

  it('leads back to where it was opened once it is saved', async () => {
    const api = open(null, true, aConfig, '/wallet/withdraw');
    await userEvent.click(await screen.findByRole('link', { name: 'Add an account or address' }));
    await fillBank();
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    await screen.findByRole('dialog', { name: 'Transaction password' });
    await enterPassword();
    await waitFor(() => expect(address()).toBe('/wallet/withdraw'));
    // The page that is left shows the number as well, for a moment.
    expect(await screen.findByText('Paid to')).toBeVisible();
    expect(screen.getByText('•••• 4321')).toBeVisible();
    expect(api.to('/bank_card/edit')).toHaveLength(1);
  });

  it('keeps what was typed for who leaves, logs in again, or goes on, and stores none of it', async () => {
    open(null);
    await fillBank();
    act(() => {
      window.location.hash = '#/wallet/withdraw';
    });
    await screen.findByRole('link', { name: 'Add an account or address' });
    act(() => {
      window.location.hash = '#/wallet/bind-card';
    });
    expect(await account()).toHaveValue('40001234321');
    act(() => session.expire());
    act(() => session.signIn({ token: 'again', user: aUser }));
    act(() => {
      window.location.hash = '#/wallet/bind-card';
    });
    expect(await account()).toHaveValue('40001234321');
    expect(screen.getByLabelText('Branch')).toHaveValue('Hamburg');
    const stored = JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage });
    expect(stored).not.toContain('40001234321');
    act(() => session.signIn({ token: 'other', user: { ...aUser, id: 'u2' } }));
    act(() => {
      window.location.hash = '#/wallet';
    });
    act(() => {
      window.location.hash = '#/wallet/bind-card';
    });
    // The page that is left is there for a moment.
    await waitFor(async () => expect(await account()).toHaveValue(''));
  });

  it('can be sent only after a change, and names what is missing', async () => {
    const api = open(null);
    const bind = await screen.findByRole('button', { name: 'Add' });
    expect(bind).toBeDisabled();
    await userEvent.type(await account(), '1');
    expect(bind).toBeEnabled();
    await userEvent.click(bind);
    expect(screen.getAllByText('Cannot be empty')).toHaveLength(5);
    expect(screen.getByText(/Not an IBAN, and not/)).toBeVisible();
    expect(api.to('/bank_card/edit')).toHaveLength(0);
  });

  it('shows the bound account masked and asks before replacing it', async () => {
    const api = open(aBankCard);
    expect(await screen.findByText('•••• 6789')).toBeVisible();
    expect(await account()).toHaveValue('');
    expect(screen.getByRole('button', { name: 'Replace' })).toBeDisabled();
    await fillIn(await account(), '40001234321');
    await userEvent.click(screen.getByRole('button', { name: 'Replace' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Replace this account?' }));
    expect(api.to('/bank_card/edit')).toHaveLength(0);
    await userEvent.click(dialog.getByRole('button', { name: 'Replace' }));
    expect(await screen.findByText('•••• 4321')).toBeVisible();
  });

  it.each([
    ['says', 'live', 1],
    ['has nothing to say', 'simulated', 0],
  ] as const)('%s that payouts then wait, where data are %s', async (_says, data_source, times) => {
    open(aBankCard, false, { ...aConfig, data_source });
    await fillIn(await account(), '40001234321');
    await userEvent.click(screen.getByRole('button', { name: 'Replace' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Replace this account?' }));
    expect(dialog.queryAllByText(/cannot withdraw or exchange for 24 hours/)).toHaveLength(times);
  });

  it('asks for the transaction password once there is one, the first time too', async () => {
    const api = open(null, true);
    await fillBank();
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    const dialog = await screen.findByRole('dialog', { name: 'Transaction password' });
    expect(await within(dialog).findByText('•••• 4321')).toBeVisible();
    expect(within(dialog).getByText('North Bank')).toBeVisible();
    await enterPassword();
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(await screen.findByText('•••• 4321')).toBeVisible();
    expect(api.to('/bank_card/edit')[0]?.body).toMatchObject({ password: rightHash });
  });

  it('asks for it after the question whether to replace, and keeps what was typed over a wrong one', async () => {
    const api = open(aBankCard, true);
    const data = { error: 'wrong_pay_password', attempts_left: 4 };
    api.answer('POST /check/password', () => new Refusal(405, 'Wrong', data));
    await fillIn(await account(), '40001234321');
    await userEvent.click(screen.getByRole('button', { name: 'Replace' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Replace this account?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Replace' }));
    await enterPassword('999998');
    expect(await screen.findByText(/4 attempts left/)).toBeVisible();
    expect(api.to('/bank_card/edit')).toHaveLength(0);
    api.answer('POST /check/password', () => ({}));
    await enterPassword();
    expect(await screen.findByText('•••• 4321')).toBeVisible();
    expect(api.to('/bank_card/edit')[0]?.body).toMatchObject({ bank_account: '40001234321' });
  });

  it('keeps what was typed where the password was found wrong only then', async () => {
    const api = open(null, true);
    const data = { error: 'wrong_pay_password', attempts_left: 3 };
    api.answer('POST /bank_card/edit', () => new Refusal(405, 'Wrong', data));
    await fillBank();
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    await enterPassword();
    expect(await screen.findByText(/3 attempts left/)).toBeVisible();
    expect(await account()).toHaveValue('40001234321');
  });

  it('binds an address on one of the offered networks', async () => {
    const api = open(null);
    await userEvent.click(await screen.findByRole('tab', { name: 'Wallet address' }));
    await userEvent.click(screen.getByLabelText(/^Network/));
    await userEvent.click(screen.getByRole('button', { name: 'TRC20' }));
    expect(screen.getByLabelText('Network: TRC20')).toHaveFocus();
    await fillIn(screen.getByLabelText('Address'), aTronAddress);
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('•••• 4321')).toBeVisible();
    expect(api.to('/bank_card/edit')[0]?.body).toEqual({
      method: 'wallet_address',
      network: 'TRC20',
      address: aTronAddress,
    });
  });

  it.each([
    ['DE02120300000000202052', 'The check digits do not match: compare the IBAN with your bank’s'],
    ['x'.repeat(40), 'Not an IBAN, and not an account number of 6 to 34 digits'],
  ])('says what is wrong with %s, and keeps it', async (typed, problem) => {
    const api = open(null);
    await fillBank();
    await userEvent.clear(await account());
    await userEvent.type(await account(), typed);
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText(problem)).toBeVisible();
    expect(await account()).toHaveValue(typed);
    expect(api.to('/bank_card/edit')).toHaveLength(0);
  });

  it('takes an IBAN as it is pasted, without a branch, and asks with its last four', async () => {
    const api = open(null, true);
    await fillBank();
    await userEvent.clear(await account());
    await userEvent.clear(screen.getByLabelText('Branch'));
    await userEvent.click(await account());
    await userEvent.paste('de02\u00a01203 0000 0000 2020 51 ');
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    const dialog = await screen.findByRole('dialog', { name: 'Transaction password' });
    expect(await within(dialog).findByText('•••• 2051')).toBeVisible();
    await enterPassword();
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(api.to('/bank_card/edit')[0]?.body).toMatchObject({
      bank_account: 'DE02120300000000202051',
      branch_name: '',
    });
  });

  it('names an address of another network', async () => {
    const api = open(null);
    await userEvent.click(await screen.findByRole('tab', { name: 'Wallet address' }));
    await userEvent.click(screen.getByLabelText(/^Network/));
    await userEvent.click(screen.getByRole('button', { name: 'ERC20' }));
    await fillIn(screen.getByLabelText('Address'), aTronAddress);
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('This address belongs to another network')).toBeVisible();
    expect(api.to('/bank_card/edit')).toHaveLength(0);
  });

  it('shows what the server finds wrong at its field', async () => {
    const api = open(null);
    const fields = { mobile: 'invalid_phone', bank_account: 'iban_country' };
    api.answer('POST /bank_card/edit', () => new Refusal(400, 'Check', { fields }));
    await fillBank();
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('Not a valid phone number')).toBeVisible();
    expect(screen.getByLabelText('Mobile number')).toBeInvalid();
    expect(screen.getByText(/No IBAN begins like this/)).toBeVisible();
  });

  it('keeps what was typed over a lost connection', async () => {
    const api = open(null);
    api.answer('POST /bank_card/edit', lostConnection);
    await fillBank();
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText(/The connection was lost/)).toBeVisible();
    expect(await account()).toHaveValue('40001234321');
  });
});
