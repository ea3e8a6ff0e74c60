import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import type { User } from '@/api/types';
import { forgetDrafts } from '@/shared/forms/draft';
import { adCenterAnswers } from '@/testing/answers';
import { fakeApi } from '@/testing/api';
import { noResults } from '@/testing/compare-data';
import { aConfig, aUser } from '@/testing/data';
import { aSeries } from '@/testing/event-data';
import {
  aBankCard,
  anAcceptor,
  aPlan,
  aProductToPut,
  aProperty,
  aTronAddress,
  noRechargeForm,
  quoteWithoutCoupons,
  someMethods,
} from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

type Form = {
  name: string;
  at: string;
  user?: User;
  answers?: Parameters<typeof fakeApi>[0];
  config?: typeof aConfig;
  /** What leads to the form on its page. */
  before?: () => Promise<void>;
  /** The layer it stands in. */
  within?: string;
  /** Filled in by all means. */
  also?: Record<string, string>;
  fields: Record<string, string>;
  button: string;
};

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

const account = {
  label: 'Bank transfer',
  id: 'bank',
  beneficiary: 'North Ltd',
  account: 'DE02120300000000202051',
  network: null,
  bank: 'North Bank',
  bic: null,
  note: null,
};

const answers = {
  ...adCenterAnswers,
  'GET /user/property': () => ({ ...aProperty, deposit: '300.00' }),
  'GET /plan/product/results': () => noResults,
  'POST /plan/order/app/detail': () => aProductToPut,
  'POST /plan/order/detail': () => aPlan,
  'GET /plan/order/series': () => aSeries,
  'POST /plan/order/quote': () => quoteWithoutCoupons('100.00'),
  'GET /assistance/list': () => ({ current: null, own: null, items: [], next_cursor: null }),
  'GET /bank_card/detail': () => null,
  'GET /basic_config': () => ({ ...aConfig, withdraw_method_config: someMethods }),
  'GET /acceptor/list': () => [anAcceptor],
  'GET /acceptor/order/list': () => ({ current: null, items: [], next_cursor: null }),
  'POST /acceptor/detail': () => ({
    ...anAcceptor,
    rates: anAcceptor.rates.map((rate) => ({ ...rate, expires_at: '2999-01-01T00:00:00Z' })),
  }),
  'GET /transaction_flow/by_day': () => ({ items: [], next_cursor: null }),
  'GET /user/recharges': () => ({ items: [], next_cursor: null }),
  'GET /user/recharge/announcements': () => ({ ...noRechargeForm, accounts: [account] }),
  'GET /withdrawals': () => ({ items: [], next_cursor: null }),
  'GET /withdrawals/pace': () => ({ measured: 20, half_within: 5400, all_within: 172800 }),
  'GET /customer/messages': () => ({ items: [], next_cursor: null, status: null, unread: 0 }),
};

const nothingLeft = {
  ...aProperty,
  total_assets: '0.00',
  available: '0.00',
  to_be_consumed: '0.00',
  unbilled: '0.00',
  to_be_settled: '0.00',
  withdrawing: '0.00',
  exchanging: '0.00',
  deposit: '0.00',
  startup_outstanding: '0.00',
};

const forms: Form[] = [
  {
    name: 'login',
    at: '/login',
    fields: { Username: 'lena', Password: 'correct horse' },
    button: 'Log in',
  },
  {
    name: 'register',
    at: '/register',
    fields: {
      Username: 'lena',
      Password: 'correct horse',
      'Repeat password': 'correct horse',
      Email: 'lena@example.com',
      Phone: '+49 170 1234567',
      'Authorization code': 'ABCD-1234',
    },
    button: 'Create account',
  },
  {
    name: 'forgotten password',
    at: '/reset-password',
    fields: {
      Username: 'lena',
      'One half of the code': '1234-5678',
      'The other half': '0hjk mnp1',
      'New password': 'battery staple',
      'Repeat new password': 'battery staple',
    },
    button: 'Set new password',
  },
  {
    name: 'login password',
    at: '/ad-center/edit-login-password',
    user: aUser,
    fields: {
      'Old password': 'correct horse',
      'New password': 'battery staple',
      'Repeat new password': 'battery staple',
    },
    button: 'Change password',
  },
  {
    name: 'opening an account',
    at: '/ad-welcome',
    user: { ...aUser, store_opened: false },
    fields: { 'Authorization code': 'ABCD-1234' },
    button: 'Open ad account',
  },
  {
    name: 'closing an account',
    at: '/me/close',
    user: aUser,
    answers: { 'GET /user/property': () => nothingLeft },
    fields: { 'Login password': 'correct horse' },
    button: 'Close account',
  },
  {
    name: 'profile',
    at: '/me/profile',
    user: aUser,
    fields: { Nickname: 'Lena V.', Email: 'lena@example.com', Phone: '+49 170 1234567' },
    button: 'Save changes',
  },
  {
    name: 'feedback',
    at: '/ad-center/feedback',
    user: aUser,
    fields: { Topic: 'Withdrawal', 'Your message': 'It takes long.' },
    button: 'Send feedback',
  },
  {
    name: 'message',
    at: '/customer',
    user: aUser,
    config: { ...aConfig, customer_service_url: [], recharge_customer_service_url: [] },
    fields: { 'Your message': 'Where is it?' },
    button: 'Send',
  },
  {
    name: 'following',
    at: '/ad-center/operated',
    user: aUser,
    fields: { 'Operated ID': 'OP-1001' },
    button: 'Follow',
  },
  {
    name: 'binding an account',
    at: '/wallet/bind-card',
    user: aUser,
    fields: {
      'Name for this account': 'Everyday',
      'Account holder': 'Lena Vogt',
      'Mobile number': '+49 170',
      Bank: 'North Bank',
      'Account number': '40001234321',
      Branch: 'Hamburg',
    },
    button: 'Add',
  },
  {
    name: 'binding an address',
    at: '/wallet/bind-card',
    user: aUser,
    before: async () => userEvent.click(await screen.findByRole('tab', { name: 'Wallet address' })),
    also: { Address: aTronAddress },
    fields: { 'Network: Choose a network': '' },
    button: 'Add',
  },
  {
    name: 'deposit',
    at: '/wallet/deposit',
    user: aUser,
    fields: { Amount: '100' },
    button: 'Pay in',
  },
  {
    name: 'payout',
    at: '/wallet/withdraw',
    user: aUser,
    answers: { 'GET /bank_card/detail': () => aBankCard },
    fields: { Amount: '100' },
    button: 'Withdraw',
  },
  {
    name: 'announced payment',
    at: '/wallet/recharge',
    user: aUser,
    fields: { Amount: '100' },
    button: 'I have paid',
  },
  {
    name: 'acceptor',
    at: '/wallet/foreign-exchange',
    user: aUser,
    fields: { 'Acceptance code': '0123-Z01Z-AJMV' },
    button: 'Show rates',
  },
  {
    name: 'exchange',
    at: '/wallet/foreign-exchange',
    user: aUser,
    before: async () => {
      const code = await screen.findByLabelText('Acceptance code');
      fireEvent.change(code, { target: { value: '0123-Z01Z-AJMV' } });
      await press('Show rates');
    },
    fields: { Amount: '100' },
    button: 'Review exchange',
  },
  {
    name: 'putting a plan',
    at: '/plan/goods-detail?id=p1',
    user: aUser,
    before: () => press('Put amount'),
    within: 'Put amount',
    fields: { Amount: '100' },
    button: 'Put amount',
  },
  {
    name: 'adding to a budget',
    at: '/plan/detail?id=42',
    user: aUser,
    before: () => press('Add to the budget'),
    within: 'Add to the budget',
    fields: { Amount: '100' },
    button: 'Add to the budget',
  },
];

const cases = forms.flatMap((form) =>
  Object.keys(form.fields).map((field) => [form.name, field, form] as const),
);

describe('every form, with all filled in but one field', () => {
  afterEach(() => forgetDrafts());

  it.each(cases)(
    '%s: brings “%s” into view, and says there what is missing',
    async (_, wrong, form) => {
      const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
      const api = fakeApi({ ...answers, ...form.answers });
      renderApp(form.at, form.user, form.config);
      await form.before?.();
      const place = form.within
        ? within(await screen.findByRole('dialog', { name: form.within }))
        : screen;
      for (const [label, text] of Object.entries({ ...form.also, ...form.fields })) {
        const field = await place.findByLabelText(label);
        const value = label === wrong ? '' : text;
        if (field.tagName !== 'BUTTON') fireEvent.change(field, { target: { value } });
      }
      const before = api.sent.length;
      await userEvent.click(place.getByRole('button', { name: form.button }));
      const field = place.getByLabelText(wrong);
      expect(field).toBeInvalid();
      expect(field).toHaveAccessibleDescription(/cannot be empty|is required|enter|neither/i);
      expect(field).toHaveFocus();
      expect(scrolled.mock.contexts).toContain(field);
      // The bell may ask for its count at any time.
      const isSent = ({ method, path }: { method: string; path: string }) =>
        method === 'POST' && path !== '/user/notifications/unread_count';
      expect(api.sent.slice(before).filter(isSent)).toEqual([]);
    },
  );

  it.each(forms.filter(({ user }) => user).map((form) => [form.name, form] as const))(
    '%s: has what was typed before the session ended, but no password',
    async (_, form) => {
      const user = form.user as User;
      fakeApi({ ...answers, ...form.answers });
      const open = async () => {
        await form.before?.();
        return form.within
          ? within(await screen.findByRole('dialog', { name: form.within }))
          : screen;
      };
      renderApp(form.at, user, form.config);
      let place = await open();
      const typed = Object.entries({ ...form.also, ...form.fields });
      for (const [label, value] of typed) {
        const field = await place.findByLabelText(label);
        if (field.tagName !== 'BUTTON') fireEvent.change(field, { target: { value } });
      }
      act(() => session.expire());
      await waitFor(() => expect(screen.queryByRole('button', { name: form.button })).toBeNull());
      act(() => session.signIn({ token: 'token-2', user }));
      await waitFor(() => expect(address()).toBe(form.at));
      place = await open();
      for (const [label, text] of typed) {
        const field = (await place.findByLabelText(label)) as HTMLInputElement;
        if (field.tagName !== 'BUTTON') {
          expect(field).toHaveValue(field.type === 'password' ? '' : text);
        }
      }
    },
  );

  it('transaction password: says at the digits that they differ', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    fakeApi({
      ...answers,
      'GET /user/property': () => ({ ...aProperty, pay_password_set: false }),
    });
    renderApp('/wallet/set-password', aUser);
    const digits = () => screen.findByLabelText('Enter your 6 digits');
    await userEvent.type(await digits(), '274916');
    await press('Next');
    await userEvent.type(await digits(), '274917');
    await press('Save password');
    const field = await digits();
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription(/do not match/);
    expect(field).toHaveFocus();
    expect(scrolled.mock.contexts).toContain(field);
  });
});
