import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/query-client';
import type { AcceptorDetail, AcceptorOrder, Property } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { anAcceptor, anExchange, aProperty, rightHash } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

const start = Date.parse('2026-11-21T12:00:00Z');

// The rate holds for five minutes from `start`. The fake clock advances in real time.
beforeEach(() => {
  vi.useFakeTimers({ now: start, shouldAdvanceTime: true });
});

type World = {
  property?: Partial<Property>;
  current?: AcceptorOrder;
  items?: AcceptorOrder[];
  unread?: boolean;
};

function open({ property = {}, current, items = [], unread = false }: World = {}) {
  let now = current ?? null;
  const api = fakeApi({
    'GET /user/property': () => ({ ...aProperty, ...property }),
    'GET /acceptor/list': ({ query }) =>
      query.get('type') === 'personal' ? [anAcceptor] : [{ ...anAcceptor, name: 'Nordic Bureau' }],
    'GET /acceptor/order/list': () =>
      unread ? new Refusal(500) : { current: now, items, next_cursor: null },
    'POST /acceptor/detail': () => anAcceptor,
    'POST /acceptor/order/put': () => {
      now = anExchange;
      return anExchange;
    },
    'POST /acceptor/order/cancel': () => {
      now = null;
      return { ...anExchange, status: 'cancelled' };
    },
    'POST /check/password': () => ({}),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/wallet/foreign-exchange', aUser);
  return api;
}

const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
const code = () => screen.findByLabelText('Acceptance code');
const amount = () => screen.findByLabelText('Amount');
const press = (name: string) => user.click(screen.getByRole('button', { name }));

async function enterCode(text = '0123-Z01Z-AJMV') {
  await user.clear(await code());
  if (text) await user.type(await code(), text);
  await press('Show rates');
}

async function review(text: string) {
  await user.clear(await amount());
  if (text) await user.type(await amount(), text);
  await press('Review exchange');
}

const confirmation = () => within(screen.getByRole('dialog', { name: 'Check your exchange' }));

async function send() {
  await user.click(confirmation().getByRole('button', { name: 'Confirm' }));
  await enterPassword();
}

describe('choosing an acceptor', () => {
  it('says on a card that the orders could not be read: the colour above ends behind it', async () => {
    open({ unread: true });
    const [alert] = await screen.findAllByRole('alert');
    expect(alert?.closest('section')).not.toBeNull();
  });

  it('shows who there is of each kind', async () => {
    open();
    expect(await screen.findByText('Marisol Vega')).toBeVisible();
    expect(screen.getByText('Up to $5,000.00 per order')).toBeVisible();
    expect(screen.getByText('EUR · JPY')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Enterprise' }));
    expect(await screen.findByText('Nordic Bureau')).toBeVisible();
  });

  it('asks with the kind and the code, without blanks around it', async () => {
    const api = open();
    await user.click(await screen.findByRole('tab', { name: 'Enterprise' }));
    await enterCode(' 0123-z01z-ajmv ');
    expect(await screen.findByText('1 USD = 0.9215 EUR')).toBeVisible();
    // The field of the code, which had the focus, is gone.
    expect(screen.getByRole('heading', { name: anAcceptor.name })).toHaveFocus();
    expect(api.to('/acceptor/detail')[0]?.body).toEqual({
      type: 'enterprise',
      code: '0123-z01z-ajmv',
    });
  });

  it('asks for a code where none was typed', async () => {
    const api = open();
    await enterCode('');
    expect(screen.getByText('Cannot be empty')).toBeVisible();
    expect(api.to('/acceptor/detail')).toHaveLength(0);
  });

  it.each([
    [
      { error: 'acceptance_code_wrong', attempts_left: 2 },
      'Acceptance code error, please re-enter. 2 attempts left.',
    ],
    [
      { error: 'acceptance_code_locked', retry_after: 840 },
      'Too many wrong codes. Try again in 14 minutes.',
    ],
    [
      { error: 'acceptance_code_locked', retry_after: 20_000 },
      'Too many wrong codes. Try again in 6 hours.',
    ],
  ])('says at the code’s field what is wrong and how to go on: %j', async (data, text) => {
    const api = open();
    api.answer(
      'POST /acceptor/detail',
      () => new Refusal(405, 'Acceptance code error, please re-enter', data),
    );
    await enterCode('wrong');
    expect(await screen.findByText(text)).toBeVisible();
    expect(await code()).toHaveValue('wrong');
    expect(await code()).toBeInvalid();
    await user.type(await code(), '1');
    expect(screen.queryByText(text)).toBeNull();
  });

  it('keeps the code over a lost connection', async () => {
    const api = open();
    api.answer('POST /acceptor/detail', lostConnection);
    await enterCode();
    expect(await screen.findByText(/The code was not checked/)).toBeVisible();
    api.answer('POST /acceptor/detail', () => anAcceptor);
    await press('Show rates');
    expect(await amount()).toBeVisible();
  });

  it('says when nobody of a kind takes orders', async () => {
    const api = open();
    api.answer('GET /acceptor/list', () => []);
    await user.click(await screen.findByRole('tab', { name: 'Enterprise' }));
    expect(await screen.findByText(/No acceptor of this kind/)).toBeVisible();
    expect(screen.getByText(/Try the other kind/)).toBeVisible();
  });
});

describe('an order', () => {
  it('shows what is received, asks for a check, then for the password', async () => {
    const api = open();
    await enterCode();
    await user.type(await amount(), '100');
    expect(screen.getByText('92.15 EUR')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: /JPY/ }));
    expect(screen.getByText('15,735 JPY')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: /EUR/ }));
    await press('Review exchange');
    const facts = confirmation();
    for (const [name, value] of [
      ['You give', '$100.00'],
      ['You receive', '92.15 EUR'],
      ['Rate', '1 USD = 0.9215 EUR'],
      ['Available afterwards', '$9,900.00'],
    ] as const) {
      expect(facts.getByText(name).nextElementSibling).toHaveTextContent(value);
    }
    expect(facts.getByText('Marisol Vega')).toBeVisible();
    expect(api.to('/acceptor/order/put')).toHaveLength(0);
    await send();
    expect(await screen.findByText('Current exchange')).toBeVisible();
    const [sent] = api.to('/acceptor/order/put');
    expect(sent?.body).toEqual({
      acceptor_id: 'a1',
      code: '0123-Z01Z-AJMV',
      amount: '100',
      currency: 'EUR',
      quote_id: 'q1',
      rate: '0.9215',
      password: rightHash,
    });
    expect(sent?.headers.get('Idempotency-Key')).toBeTruthy();
  });

  it('takes its code along: the next order begins with an empty field', async () => {
    open();
    await enterCode();
    await review('100');
    await send();
    await screen.findByText('Current exchange');
    await press('Cancel exchange');
    const dialog = within(screen.getByRole('dialog', { name: 'Cancel this exchange?' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel exchange' }));
    expect(await code()).toHaveValue('');
  });

  it.each([
    ['', 'Cannot be empty'],
    ['0', 'The amount must be greater than 0'],
    ['5000.01', 'At most $5,000.00 per order'],
    ['3000.01', 'Only $3,000.00 is left for today'],
    ['0.01', 'Too small: nothing would be paid out'],
  ])('of %j is not even looked over', async (typed, problem) => {
    open();
    await enterCode();
    await review(typed);
    expect(screen.getByText(problem)).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('takes no more than there is, and as much as can be with one tap', async () => {
    open({ property: { available: '120.50' } });
    await enterCode();
    await review('120.51');
    expect(screen.getByText('Insufficient balance')).toBeVisible();
    await press('Maximum');
    expect(await amount()).toHaveValue('120.50');
  });

  it('asks for a password first', async () => {
    open({ property: { pay_password_set: false } });
    await enterCode();
    expect(await screen.findByRole('link', { name: 'Set transaction password' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Review exchange' })).toBeDisabled();
  });

  it('is where it was for who comes back from setting a password', async () => {
    const property = { pay_password_set: false };
    open({ property });
    await enterCode();
    await user.type(await amount(), '100');
    await user.click(await screen.findByRole('link', { name: 'Set transaction password' }));
    await screen.findByText(/^Choose 6 digits/);
    property.pay_password_set = true;
    act(() => window.history.back());
    expect(await amount()).toHaveValue('100');
    // As setting it does.
    void queryClient.invalidateQueries({ queryKey: ['property'] });
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Review exchange' })).toBeEnabled(),
    );
  });

  it('waits for start-up funds, which are returned on the spot', async () => {
    const property = { startup_outstanding: '50.00' };
    const api = open({ property });
    api.answer('POST /user/startup/return', () => {
      property.startup_outstanding = '0.00';
      return { outstanding: '0.00' };
    });
    await user.click(await screen.findByRole('button', { name: 'Return $50.00' }));
    await enterPassword();
    await enterCode();
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Review exchange' })).toBeEnabled(),
    );
  });

  it('keeps everything over a lost connection and is placed once', async () => {
    const api = open();
    await enterCode();
    api.answer('POST /acceptor/order/put', lostConnection);
    await review('100');
    await send();
    expect(await screen.findByText(/it cannot be carried out twice/)).toBeVisible();
    expect(await amount()).toHaveValue('100');
    api.answer('POST /acceptor/order/put', () => anExchange);
    await press('Review exchange');
    await send();
    expect(await screen.findByText('Exchange requested')).toBeVisible();
    const keys = api.to('/acceptor/order/put').map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it.each([
    ['acceptor_limit_exceeded', 'The limit is lower'],
    ['exchange_order_open', 'Another one is open'],
    ['startup_funds_outstanding', 'Return the start-up funds'],
    ['chargeback_due', 'Pay it in first'],
  ])('shows %s in the server’s words and keeps what was typed', async (error, text) => {
    const api = open();
    await enterCode();
    api.answer('POST /acceptor/order/put', () => new Refusal(405, text, { error }));
    await review('100');
    await send();
    expect(await screen.findByText(text)).toBeVisible();
    expect(await amount()).toHaveValue('100');
  });
});

const renewed: AcceptorDetail = {
  ...anAcceptor,
  rates: anAcceptor.rates.map((rate) => ({
    ...rate,
    quote_id: `${rate.quote_id}b`,
    rate: '0.9',
    expires_at: '2026-11-21T12:30:00Z',
  })),
};

describe('a rate', () => {
  it('counts down, ends, and is asked for anew with one tap; the amount stays', async () => {
    const api = open();
    await enterCode();
    await user.type(await amount(), '100');
    expect(screen.getByText(/This rate is valid until/)).toHaveTextContent(/· [45]:\d\d$/);
    act(() => void vi.advanceTimersByTime(5 * 60_000));
    expect(screen.getByText(/This rate was valid until/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Review exchange' })).toBeDisabled();
    api.answer('POST /acceptor/detail', () => renewed);
    await press('Get the current rate');
    expect(await screen.findByText('90.00 EUR')).toBeVisible();
    expect(await amount()).toHaveValue('100');
    expect(screen.getByRole('button', { name: 'Review exchange' })).toBeEnabled();
  });

  it('that ends while it is being looked over is not confirmed', async () => {
    open();
    await enterCode();
    await review('100');
    act(() => void vi.advanceTimersByTime(5 * 60_000));
    expect(confirmation().getByText(/This rate has expired/)).toBeVisible();
    expect(confirmation().queryByRole('button', { name: 'Confirm' })).toBeNull();
    await user.click(confirmation().getByRole('button', { name: 'Back to the rate' }));
    expect(screen.getByRole('button', { name: 'Get the current rate' })).toBeVisible();
  });

  it('that the server no longer takes is asked for anew, never replaced unseen', async () => {
    const api = open();
    await enterCode();
    const refusal = new Refusal(405, 'Expired', { error: 'quote_expired' });
    api.answer('POST /acceptor/order/put', () => refusal);
    await review('100');
    await send();
    const renew = await screen.findByRole('button', { name: 'Get the current rate' });
    expect(api.to('/acceptor/order/put')).toHaveLength(1);
    api.answer('POST /acceptor/detail', () => renewed);
    await user.click(renew);
    expect(await screen.findByText('90.00 EUR')).toBeVisible();
    api.answer('POST /acceptor/order/put', () => anExchange);
    await press('Review exchange');
    await send();
    await waitFor(() => expect(api.to('/acceptor/order/put')).toHaveLength(2));
    expect(api.to('/acceptor/order/put')[1]?.body).toMatchObject({ quote_id: 'q1b', rate: '0.9' });
  });
});

describe('the current exchange', () => {
  it('stands instead of the form, and can be taken back after a question', async () => {
    const api = open({ current: anExchange });
    expect(await screen.findByText('Current exchange')).toBeVisible();
    expect(screen.getByText('In progress')).toBeVisible();
    expect(screen.getByText('92.15 EUR')).toBeVisible();
    expect(screen.queryByLabelText('Acceptance code')).toBeNull();
    await press('Cancel exchange');
    const dialog = within(screen.getByRole('dialog', { name: 'Cancel this exchange?' }));
    expect(dialog.getByText('$100.00 goes back to your available funds.')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Cancel exchange' }));
    expect(await screen.findByText('Exchange cancelled')).toBeVisible();
    expect(api.to('/acceptor/order/cancel')[0]?.body).toEqual({ id: 'x1' });
    expect(await code()).toBeVisible();
  });

  it('cannot be taken back once the acceptor has it', async () => {
    open({ current: { ...anExchange, accepted: true, cancellable: false } });
    expect(await screen.findByText(/has accepted it, so/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Cancel exchange' })).toBeNull();
  });

  it('says that it was decided meanwhile', async () => {
    const api = open({ current: anExchange });
    const refusal = new Refusal(405, 'Already decided', { error: 'already_decided' });
    api.answer('POST /acceptor/order/cancel', () => refusal);
    await screen.findByText('Current exchange');
    await press('Cancel exchange');
    const done = { ...anExchange, status: 'completed' as const };
    const list = { current: null, items: [done], next_cursor: null };
    api.answer('GET /acceptor/order/list', () => list);
    await user.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel exchange' }),
    );
    expect(await code()).toBeVisible();
    expect(screen.getByText('Already decided')).toBeVisible();
  });
});

describe('the records', () => {
  it('show each order with its rate, state and reason', async () => {
    open({ items: [{ ...anExchange, status: 'cancelled', reason: 'Wrong account' }] });
    const list = within(await screen.findByRole('list', { name: 'Transaction records' }));
    expect(list.getByText('92.15 EUR')).toBeVisible();
    expect(list.getByText('Cancelled')).toBeVisible();
    expect(list.getByText(/1 USD = 0.9215 EUR/)).toBeVisible();
    expect(list.getByText(/Reason: Wrong account/)).toBeVisible();
  });

  it('say that there are none', async () => {
    open();
    expect(await screen.findByText(/No exchanges yet/)).toBeVisible();
  });

  it('offer to reload where they could not be read', async () => {
    open({ unread: true });
    expect((await screen.findAllByRole('button', { name: 'Reload' })).length).toBeGreaterThan(0);
  });
});
