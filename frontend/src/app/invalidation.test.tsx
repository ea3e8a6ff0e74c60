import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { cachedConfig } from '@/api/queries/cached-config';
import type { Change } from '@/api/queries/invalidate';
import { decisionPollMs, useInvalidateOnDecision } from '@/api/queries/use-invalidate-on-decision';
import { queryClient } from '@/api/query-client';
import { session } from '@/api/session';
import type { PushDevice } from '@/api/types';
import { useAppendSent } from '@/features/help/conversation/queries';
import { useReceive } from '@/features/offers/mutations';
import { useEndSessions, useSaveProfile } from '@/features/people/me/mutations';
import { usePlanControl, usePut } from '@/features/plans/mutations';
import { useFollow } from '@/features/plans/operated/FollowForm';
import { useQuote } from '@/features/plans/put/quote';
import { useBindCard } from '@/features/wallet/card/BindCardForm';
import { useCancelExchange, usePutExchange } from '@/features/wallet/exchange/mutations';
import { useSetPassword } from '@/features/wallet/password/use-set-password';
import { useTakeBack } from '@/features/wallet/TakeBack';
import { unread } from '@/shared/account/unread';
import { basicConfigQuery } from '@/shared/config/basic-config';
import { usePayment } from '@/shared/money/use-payment';
import { useTurnOff } from '@/shared/push/devices';
import { adCenterAnswers, barAnswers } from '@/testing/answers';
import { fakeApi, Refusal } from '@/testing/api';
import { aConfig, aUser } from '@/testing/data';
import {
  aBankCard,
  anAcceptor,
  anExchange,
  aProperty,
  aWithdrawal,
  noRechargeForm,
  someMethods,
} from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';
// What counts the notices that are unread.
import './data';

type Walk = {
  /** Draws the hook and makes the change. */
  change: () => unknown;
  calls?: string;
  /** Also after a refusal, which shows that the figures were old. */
  refused?: boolean;
  asks: string;
};

function wrapper({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

/** Runs a hook's mutation. */
function run<V>(hook: () => { mutateAsync: (given: V) => Promise<unknown> }, given: V) {
  const { result } = renderHook(hook, { wrapper });
  return act(() => result.current.mutateAsync(given));
}

function decided(change: Change) {
  const { rerender } = renderHook(({ open }) => useInvalidateOnDecision(open, change), {
    wrapper,
    initialProps: { open: ['1', '2'] },
  });
  rerender({ open: ['1'] });
}

const paid = { amount: '10.00', password: 'h' };
const money = 'property flow quote';

/** Every change of the app, what it calls, and what a page that is open must ask for again. */
const walks: Record<Change, Walk> = {
  putPlan: {
    change: () => run(usePut, { ...paid, product_id: '7', content: 'video' }),
    calls: '/plan/order/put',
    asks: `plans statistics ${money} coupons notifications`,
  },
  addBudget: {
    change: () => run(() => usePayment('/plan/order/add_budget'), { id: '42', ...paid }),
    calls: '/plan/order/add_budget',
    refused: true,
    asks: `plans statistics ${money}`,
  },
  steerPlan: {
    change: () => run(() => usePlanControl('42'), 'stop' as const),
    calls: '/plan/order/stop',
    refused: true,
    asks: `plans statistics ${money} notifications`,
  },
  follow: { change: () => run(useFollow, 'op-1'), calls: '/assistance/follow', asks: 'assistance' },
  withdraw: {
    change: () => run(() => usePayment('/user/withdraw'), paid),
    calls: '/user/withdraw',
    refused: true,
    asks: `${money} withdrawals`,
  },
  cancelWithdrawal: {
    change: () => run(() => useTakeBack('/user/withdraw/cancel'), '1'),
    calls: '/user/withdraw/cancel',
    refused: true,
    asks: `${money} withdrawals`,
  },
  withdrawalDecided: {
    change: () => decided('withdrawalDecided'),
    asks: `${money} notifications`,
  },
  moveDeposit: {
    change: () => run(() => usePayment('/user/deposit/pay'), paid),
    calls: '/user/deposit/pay',
    refused: true,
    asks: `${money} user-info level credit`,
  },
  returnStartup: {
    change: () => run(() => usePayment('/user/startup/return'), paid),
    calls: '/user/startup/return',
    refused: true,
    asks: `${money} notifications`,
  },
  putExchange: {
    change: () =>
      run(usePutExchange, {
        ...paid,
        acceptor_id: '1',
        code: 'c',
        currency: 'EUR',
        quote_id: 'q',
        rate: '1',
      }),
    calls: '/acceptor/order/put',
    refused: true,
    asks: `${money} exchanges notifications`,
  },
  cancelExchange: {
    change: () => run(useCancelExchange, '1'),
    calls: '/acceptor/order/cancel',
    refused: true,
    asks: `${money} exchanges notifications`,
  },
  exchangeDecided: { change: () => decided('exchangeDecided'), asks: `${money} notifications` },
  rechargeDecided: {
    change: () => decided('rechargeDecided'),
    asks: `${money} recharges notifications`,
  },
  bindCard: {
    change: () => run(useBindCard, {} as never),
    calls: '/bank_card/edit',
    asks: 'bank-card property notifications',
  },
  setPassword: {
    change: () => run(useSetPassword, { password: 'h', confirm_password: 'h' }),
    calls: '/set/password',
    asks: 'property notifications',
  },
  announcePayment: {
    change: () =>
      run(() => usePayment('/user/recharge/announce'), { amount: '1.00', account: 'bank' }),
    calls: '/user/recharge/announce',
    refused: true,
    asks: 'recharges',
  },
  subscribeVip: {
    change: () => run(() => usePayment('/vip/subscribe'), { password: 'h' }),
    calls: '/vip/subscribe',
    asks: `${money} user-info level notifications`,
  },
  receiveCoupon: {
    change: () => run(() => useReceive('newcomer'), undefined),
    calls: '/user_coupon/receive',
    refused: true,
    asks: 'activities coupons quote notifications',
  },
  couponRefused: {
    change: () =>
      renderHook(() => useQuote({ product_id: '7' }, null), { wrapper }).result.current.forget(),
    asks: 'coupons quote',
  },
  openStore: {
    change: async () => {
      renderApp('/ad-welcome', { ...aUser, store_opened: false });
      await userEvent.type(await screen.findByLabelText('Authorization code'), 'CODE-1');
      await userEvent.click(screen.getByRole('button', { name: 'Open ad account' }));
      await waitFor(() => expect(address()).toBe('/ad-center'));
    },
    calls: '/opening_store',
    asks: 'products activities coupons notifications',
  },
  saveProfile: {
    change: () => renderHook(useSaveProfile, { wrapper }).result.current({ email: 'a@b.c' }),
    calls: '/user/info/edit',
    asks: 'property notifications',
  },
  endSessions: {
    change: () => run(useEndSessions, ['1']),
    calls: '/user/sessions/end',
    refused: true,
    asks: 'sessions',
  },
  registerDevice: {
    change: () => run(useTurnOff, { id: '1', current: false } as PushDevice),
    calls: '/user/push/end',
    refused: true,
    asks: 'sessions',
  },
  sendMessage: {
    change: () => renderHook(useAppendSent, { wrapper }).result.current({ id: '1' } as never),
    asks: 'conversation',
  },
};

/** The names of what was asked again, each once. */
function watchAsked() {
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries');
  return () => [...new Set(invalidate.mock.calls.map(([filters]) => filters?.queryKey?.join()))];
}

const sorted = (names: (string | undefined)[]) => [...names].sort();

function answers(walk: Walk, answer: () => unknown) {
  return fakeApi({ ...adCenterAnswers, ...(walk.calls && { [`POST ${walk.calls}`]: answer }) });
}

describe('after a change', () => {
  it.each(Object.entries(walks))('%s, what it has made old is asked again', async (_name, walk) => {
    const api = answers(walk, () => aUser);
    const asked = watchAsked();
    await walk.change();
    if (walk.calls) expect(api.to(walk.calls)).toHaveLength(1);
    expect(sorted(asked())).toEqual(sorted(walk.asks.split(' ')));
  });

  const telling = Object.entries(walks).filter(([, { asks }]) => asks.includes('notifications'));
  it.each(telling)('%s, the bell shows what there is to read', async (_name, walk) => {
    answers(walk, () => aUser).answer('POST /user/notifications/unread_count', () => ({
      unread_total: 3,
    }));
    unread.reset();
    await walk.change();
    await waitFor(() => expect(unread.get()).toBe(3));
  });

  const refusable = Object.entries(walks).filter(([, { refused }]) => refused);
  it.each(refusable)('%s that is refused, too', async (_name, walk) => {
    answers(walk, () => new Refusal(405, 'No', { error: 'insufficient_balance' }));
    const asked = watchAsked();
    await Promise.resolve(walk.change()).catch(() => {});
    expect(sorted(asked())).toEqual(sorted(walk.asks.split(' ')));
  });

  it('is told by the table alone', () => {
    const root = join(import.meta.dirname, '..');
    const by = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        /(?<!\.test(-d)?)\.tsx?$/.test(file) &&
        readFileSync(join(root, file), 'utf8').includes('invalidateQueries('),
    );
    expect(by.sort()).toEqual([
      'api/queries/invalidate.ts',
      // Everything, in another language.
      'app/refetch-on-language.ts',
      // What was marked as read is so in each list.
      'features/notifications/NotificationPage.tsx',
      // Everything that a notice may tell of, once it is looked at.
      'features/notifications/NotificationRow.tsx',
      // One list shows what the other waits for.
      'features/wallet/recharge/queries.ts',
    ]);
  });
});

describe('a key', () => {
  it('is that of a query, whatever may be asked again', () => {
    const root = join(import.meta.dirname, '..');
    const keys = readFileSync(join(root, 'api/queries/keys.ts'), 'utf8');
    const names = new Set(
      [...keys.matchAll(/^ {2}\| readonly \[\s*'([\w-]+)'/gm)].map(([, it]) => it),
    );
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test(-d)?)\.tsx?$/.test(file) && !file.endsWith('queries/keys.ts'))
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    expect(names.size).toBeGreaterThan(20);
    const unknown = [...names].filter((name) => !sources.includes(`['${name}'`));
    expect(unknown).toEqual([]);
  });
});

describe('without a press', () => {
  const page = <T,>(items: T[]) => ({ items, next_cursor: null });

  it('a withdrawal is looked at until staff have decided, and then the balance', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let status = 'pending';
    const api = fakeApi({
      ...barAnswers,
      'GET /user/info': () => aUser,
      'GET /user/property': () => aProperty,
      'GET /bank_card/detail': () => aBankCard,
      'GET /basic_config': () => ({ ...aConfig, withdraw_method_config: someMethods }),
      'GET /withdrawals/pace': () => ({ count: 0, median_seconds: null }),
      'GET /withdrawals': () => page([{ ...aWithdrawal, status }]),
    });
    renderApp('/wallet/withdraw', aUser);
    expect(await screen.findByText('Under review')).toBeVisible();
    const before = api.to('/user/property').length;
    status = 'paid';
    await act(() => vi.advanceTimersByTimeAsync(decisionPollMs));
    expect(await screen.findByText('Paid')).toBeVisible();
    await waitFor(() => expect(api.to('/user/property')).toHaveLength(before + 1));
    const looked = api.to('/withdrawals').length;
    await act(() => vi.advanceTimersByTimeAsync(4 * decisionPollMs));
    expect(api.to('/withdrawals')).toHaveLength(looked);
  });

  it('an exchange is looked at until staff have decided, and then the balance', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let current: object | null = anExchange;
    const api = fakeApi({
      ...barAnswers,
      'GET /user/info': () => aUser,
      'GET /user/property': () => aProperty,
      'GET /acceptor/list': () => [anAcceptor],
      'GET /acceptor/order/list': () => ({ ...page([anExchange]), current }),
    });
    renderApp('/wallet/foreign-exchange', aUser);
    expect(await screen.findByText('Current exchange')).toBeVisible();
    const before = api.to('/user/property').length;
    current = null;
    await act(() => vi.advanceTimersByTimeAsync(decisionPollMs));
    await waitFor(() => expect(screen.queryByText('Current exchange')).toBeNull());
    await waitFor(() => expect(api.to('/user/property')).toHaveLength(before + 1));
  });

  it('a conversation shows what was answered meanwhile', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const answer = { id: '1', author: 'staff', text: 'On its way.', pictures: [], read: true };
    let items: object[] = [];
    fakeApi({
      ...barAnswers,
      'GET /customer/messages': () => ({ ...page(items), status: 'open', unread: 0 }),
    });
    renderApp('/customer', aUser, {
      ...aConfig,
      customer_service_url: [],
      recharge_customer_service_url: [],
    });
    expect(await screen.findByLabelText('Your message')).toBeVisible();
    items = [{ ...answer, created_at: '2026-11-20T10:00:00Z' }];
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(await screen.findByText('On its way.')).toBeVisible();
  });

  it('a recharge is looked at in the wallet and in its list while it waits', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const waiting = {
      id: '1',
      amount: '25.00',
      reference: 'BANK-1',
      requested_at: '2026-11-20T10:00:00Z',
      expires_at: '2026-11-27T10:00:00Z',
      decided_at: null,
    };
    let status = 'requested';
    const api = fakeApi({
      ...barAnswers,
      'GET /user/info': () => aUser,
      'GET /user/recharges': () => page([{ ...waiting, status }]),
      'GET /user/recharge/announcements': () => noRechargeForm,
    });
    renderApp('/wallet/recharge', aUser);
    expect(await screen.findByText('BANK-1', { exact: false })).toBeVisible();
    const before = api.to('/user/recharges').length;
    status = 'approved';
    await act(() => vi.advanceTimersByTimeAsync(decisionPollMs));
    await waitFor(() => expect(api.to('/user/recharges').length).toBeGreaterThan(before));
    expect(await screen.findByText('Credited')).toBeVisible();
  });
});

it('the configuration that is on its way at sign-in arrives', async () => {
  let arrive = (_config: object) => {};
  fakeApi({ 'GET /basic_config': () => new Promise<object>((done) => (arrive = done)) });
  const asked = queryClient.prefetchQuery(basicConfigQuery());
  queryClient.setQueryData(['property'], aProperty);
  session.signIn({ token: 'token-2', user: aUser });
  expect(queryClient.getQueryData(['property'])).toBeUndefined();
  arrive({ ...aConfig, name: 'Arrived' });
  await asked;
  expect(cachedConfig()).toMatchObject({ name: 'Arrived' });
});
