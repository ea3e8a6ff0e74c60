import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { Recharge, RechargeAnnouncement, RechargeForm } from '@/api/types';
import { fakeApi, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aDaysPage, aProperty, noRechargeForm } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

const waiting: Recharge = {
  id: 'r2',
  amount: '250.00',
  status: 'requested',
  reference: 'BANK-4711',
  requested_at: '2026-11-20T10:00:00Z',
  expires_at: '2026-11-27T10:00:00Z',
  decided_at: null,
};
const credited: Recharge = { ...waiting, id: 'r1', status: 'approved', reference: 'BANK-1' };

const bank: RechargeForm['accounts'][number] = {
  id: 'bank',
  label: 'Bank transfer',
  beneficiary: 'North Ltd',
  account: 'DE02120300000000202051',
  network: null,
  bank: 'North Bank',
  bic: 'BYLADEM1001',
  note: 'Only from your own account.',
};
const coins = {
  ...bank,
  id: 'coins',
  label: 'USDT',
  account: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  network: 'TRC20',
  bank: null,
  bic: null,
  note: null,
};
const announced: RechargeAnnouncement = {
  id: '7',
  amount: '250.00',
  account: 'bank',
  label: 'Bank transfer',
  status: 'open',
  waits_for: 'bank',
  announced_at: '2026-11-20T10:00:00Z',
  lapses_at: '2026-12-20T10:00:00Z',
  closed_at: null,
};

function open(address: string, items: Recharge[], form: RechargeForm = noRechargeForm) {
  const api = fakeApi({
    'GET /user/property': () => aProperty,
    'GET /transaction_flow/by_day': () => ({ ...aDaysPage, items: [], next_cursor: null }),
    'GET /user/recharges': ({ query }) => {
      const status = query.get('status');
      const some = items.filter((one) => !status || one.status === status);
      return { items: some, next_cursor: null };
    },
    'GET /user/recharge/announcements': () => form,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(address, aUser);
  return api;
}

describe('recharges', () => {
  it('are listed with what became of each', async () => {
    open('/wallet/recharge', [waiting, credited]);
    const list = await screen.findByRole('list', { name: 'Your recharges' });
    const [first, second] = within(list).getAllByRole('listitem');
    expect(first).toHaveTextContent(
      /\$250\.00.*Being checked.*BANK-4711.*We keep it open for you until/,
    );
    expect(second).toHaveTextContent(/Credited.*BANK-1/);
    expect(second).not.toHaveTextContent(/expires/);
  });

  it('have a reference to copy', async () => {
    const user = userEvent.setup();
    open('/wallet/recharge', [waiting]);
    await user.click(await screen.findByRole('button', { name: 'Copy reference BANK-4711' }));
    expect(await navigator.clipboard.readText()).toBe('BANK-4711');
    expect(await screen.findByText('Copied')).toBeVisible();
  });

  it('begin with customer service', async () => {
    open('/wallet/recharge', []);
    expect(await screen.findByText('No recharges yet')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Ask customer service' }));
    expect(await screen.findByText('Customer service 1 - Recharges')).toBeVisible();
  });

  it('stand in the wallet while they wait', async () => {
    const { to } = open('/wallet', [waiting, credited]);
    expect(await screen.findByRole('heading', { name: 'Waiting to be credited' })).toBeVisible();
    expect(screen.getByText('BANK-4711')).toBeVisible();
    expect(screen.queryByText('BANK-1')).not.toBeInTheDocument();
    expect(to('/user/recharges')[0]?.query.get('status')).toBe('requested');
    expect(screen.getByRole('link', { name: 'Your recharges' })).toHaveAttribute(
      'href',
      '#/wallet/recharge',
    );
  });

  it('leave no card in the wallet when none waits', async () => {
    vi.stubGlobal('scrollTo', () => {});
    open('/wallet', [credited]);
    await screen.findByRole('region', { name: 'Total assets' });
    expect(screen.queryByText('Waiting to be credited')).not.toBeInTheDocument();
  });
});

describe('paying in', () => {
  const form = { ...noRechargeForm, accounts: [bank] };
  const paid = () => screen.findByRole('button', { name: 'I have paid' });

  it('shows the account, whom it belongs to and the reference, each to copy', async () => {
    const user = userEvent.setup();
    open('/wallet/recharge', [], form);
    expect(await screen.findByText('DE02 1203 0000 0000 2020 51')).toBeVisible();
    expect(screen.getByText('Only from your own account.')).toBeVisible();
    const copied = {
      'Copy Account number': 'DE02120300000000202051',
      'Copy Beneficiary': 'North Ltd',
      'Copy BIC': 'BYLADEM1001',
      'Copy Your reference': 'RF097',
    };
    for (const [name, text] of Object.entries(copied)) {
      await user.click(screen.getByRole('button', { name }));
      expect(await navigator.clipboard.readText()).toBe(text);
    }
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });

  it('is announced with the account that was chosen, once', async () => {
    const user = userEvent.setup();
    const api = open('/wallet/recharge', [], { ...form, accounts: [bank, coins] });
    api.answer('POST /user/recharge/announce', () => announced);
    await user.click(await screen.findByRole('radio', { name: 'USDT' }));
    expect(screen.getByText(coins.account)).toBeVisible();
    // A wallet's payment has no text for a reference.
    expect(screen.queryByText('Your reference')).not.toBeInTheDocument();
    await user.type(screen.getByLabelText('Amount'), '250');
    const looked = api.to('/user/recharge/announcements').length;
    await user.click(await paid());
    expect(await screen.findByText(/We are looking for your payment/)).toBeVisible();
    const sent = api.to('/user/recharge/announce');
    expect(sent.map(({ body }) => body)).toEqual([{ amount: '250', account: 'coins' }]);
    expect(sent[0]?.headers.get('Idempotency-Key')).toBeTruthy();
    expect(api.to('/user/recharge/announcements').length).toBeGreaterThan(looked);
    expect(screen.getByLabelText('Amount')).toHaveValue('');
  });

  it('keeps the next amount, typed while the first is announced', async () => {
    const user = userEvent.setup();
    const api = open('/wallet/recharge', [], form);
    let answer = () => {};
    const answered = new Promise<void>((done) => {
      answer = done;
    });
    api.answer('POST /user/recharge/announce', () => answered.then(() => announced));
    const amount = await screen.findByLabelText('Amount');
    await user.type(amount, '250');
    await user.click(await paid());
    await user.clear(amount);
    await user.type(amount, '30');
    await act(async () => answer());
    expect(await screen.findByText(/We are looking for your payment/)).toBeVisible();
    expect(amount).toHaveValue('30');
  });

  it('says what is wrong with an amount, and asks nothing', async () => {
    const user = userEvent.setup();
    const api = open('/wallet/recharge', [], form);
    await user.click(await paid());
    expect(await screen.findByText('Cannot be empty')).toBeVisible();
    await user.type(screen.getByLabelText('Amount'), '0');
    await user.click(await paid());
    expect(await screen.findByText('The amount must be greater than 0')).toBeVisible();
    expect(api.to('/user/recharge/announce')).toEqual([]);
  });

  it('says why it was refused', async () => {
    const user = userEvent.setup();
    const api = open('/wallet/recharge', [], form);
    api.answer('POST /user/recharge/announce', () => {
      return new Refusal(405, 'Five are open', { error: 'announcements_open', most: 5 });
    });
    await user.type(await screen.findByLabelText('Amount'), '1');
    await user.click(await paid());
    expect(await screen.findByRole('alert')).toHaveTextContent('Five are open');
    expect(screen.getByLabelText('Amount')).toHaveValue('1');
  });

  it('waits in sight, with what it waits for', async () => {
    const second = {
      ...announced,
      id: '8',
      amount: '1.00',
      waits_for: 'customer_service',
    } as const;
    const third = { ...announced, id: '9', amount: '2.00', waits_for: 'approval' } as const;
    open('/wallet/recharge', [], { ...form, announcements: [announced, second, third] });
    const list = await screen.findByRole('list', { name: 'Announced payments' });
    const rows = within(list).getAllByRole('listitem');
    expect(rows[0]).toHaveTextContent(/\$250\.00.*Bank transfer.*The bank has not reported it yet/);
    expect(rows[1]).toHaveTextContent(/\$1\.00.*Customer service has not seen it yet/);
    expect(rows[2]).toHaveTextContent(/\$2\.00.*A second person is checking it/);
  });

  it('can be taken back', async () => {
    const user = userEvent.setup();
    const api = open('/wallet/recharge', [], { ...form, announcements: [announced] });
    api.answer('POST /user/recharge/announce/cancel', () => ({
      ...announced,
      status: 'withdrawn',
    }));
    await user.click(await screen.findByRole('button', { name: /^Cancel announcement: \$250/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel this announcement?' });
    await user.click(within(dialog).getByRole('button', { name: 'Cancel announcement' }));
    expect(await screen.findByText('Announcement cancelled')).toBeVisible();
    expect(api.to('/user/recharge/announce/cancel')[0]?.body).toEqual({ id: '7' });
  });

  it('that was credited meanwhile says so when it is taken back', async () => {
    const user = userEvent.setup();
    const api = open('/wallet/recharge', [], { ...form, announcements: [announced] });
    api.answer('POST /user/recharge/announce/cancel', () => {
      return new Refusal(405, 'Decided', { error: 'already_decided' });
    });
    await user.click(await screen.findByRole('button', { name: /^Cancel announcement: \$250/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel this announcement?' });
    await user.click(within(dialog).getByRole('button', { name: 'Cancel announcement' }));
    expect(
      await screen.findByText('It has been credited or has expired in the meantime.'),
    ).toBeVisible();
  });

  it('ends at five that are open', async () => {
    const ids = ['1', '2', '3', '4', '5'];
    const announcements = ids.map((id) => ({ ...announced, id }));
    open('/wallet/recharge', [], { ...form, announcements });
    expect(
      await screen.findByText(/You have reached the limit of open announced payments/),
    ).toBeVisible();
    expect(await paid()).toBeDisabled();
  });

  it.each([
    ['with an account', form],
    ['with one announced', { ...form, announcements: [announced] }],
    ['without any', noRechargeForm],
  ])('has customer service one press away %s', async (_state, shown) => {
    open('/wallet/recharge', [], shown);
    await userEvent.click(await screen.findByRole('button', { name: 'Ask customer service' }));
    expect(await screen.findByText('Customer service 1 - Recharges')).toBeVisible();
  });

  it('leaves customer service where the form cannot be had', async () => {
    const api = open('/wallet/recharge', []);
    api.answer('GET /user/recharge/announcements', () => new Refusal(500, 'Oops'));
    expect(await screen.findByRole('button', { name: 'Ask customer service' })).toBeVisible();
  });
});
