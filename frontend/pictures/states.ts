import type { Page } from '@playwright/test';
import { routeName, routes } from '../src/app/routes.ts';
import type { Translate } from './texts.ts';

/** The viewer: not signed in, the demonstration's user, or a newly registered one. */
export type Who = 'nobody' | 'demo' | 'newcomer';

export type Visit = { page: Page; t: Translate };

export type State = {
  name: string;
  who: Who;
  path: string;
  query?: string;
  /** What is pressed and typed once the page is there. */
  open?: (visit: Visit) => Promise<unknown>;
};

const button = ({ page, t }: Visit, key: string) =>
  page.getByRole('button', { name: t(key), exact: true });
const field = ({ page, t }: Visit, key: string) => page.getByLabel(t(key), { exact: true });
const press = (key: string) => (visit: Visit) => button(visit, key).first().click();
const tab = (key: string) => (visit: Visit) =>
  visit.page.getByRole('tab', { name: visit.t(key), exact: true }).click();
const amount = (label: string, value: string, submit: string) => async (visit: Visit) => {
  await field(visit, label).fill(value);
  await button(visit, submit).last().click();
};

/** All but /entry, which redirects at once. */
const whole: State[] = routes
  .filter(({ path }) => path !== '/entry')
  .map(({ path, needsLogin }) => ({
    name: routeName(path),
    who: needsLogin ? 'demo' : 'nobody',
    path,
  }));

/** Pages that are empty for a new user. */
const empty: State[] = [
  '/ad-center',
  '/ad-center/coupons',
  '/ad-center/level',
  '/notification',
  '/plan',
  '/wallet',
  '/wallet/set-password',
  '/wallet/bind-card',
  '/wallet/withdraw',
  '/wallet/deposit',
  '/wallet/foreign-exchange',
  '/me/close',
].map((path) => ({ name: `${routeName(path)}--new-user`, who: 'newcomer', path }));

const states: State[] = [
  { name: 'no-such-page', who: 'nobody', path: '/no-such-page' },
  { name: 'login--empty', who: 'nobody', path: '/login', open: press('auth.login') },
  {
    name: 'login--wrong',
    who: 'nobody',
    path: '/login',
    open: async (visit) => {
      await field(visit, 'auth.username').fill('nobody-here');
      await field(visit, 'auth.password').fill('not-the-password');
      await press('auth.login')(visit);
      await visit.page.getByText(visit.t('errors.wrong_credentials')).first().waitFor();
    },
  },
  { name: 'ad-welcome--expired', who: 'nobody', path: '/ad-welcome', query: '?ticket=T1' },
  { name: 'login--languages', who: 'nobody', path: '/login', open: press('app.bar.language') },
  { name: 'login--service', who: 'nobody', path: '/login', open: press('app.bar.service') },
  {
    name: 'register--wrong',
    who: 'nobody',
    path: '/register',
    open: async (visit) => {
      await field(visit, 'auth.email').fill('no address');
      await field(visit, 'auth.password').fill('one');
      await field(visit, 'auth.confirmPassword').fill('two');
      await press('auth.register')(visit);
    },
  },
  { name: 'ad-center--logout', who: 'demo', path: '/ad-center', open: press('app.bar.logout') },
  {
    name: 'ad-center--month',
    who: 'demo',
    path: '/ad-center',
    open: tab('adCenter.periods.month'),
  },
  {
    name: 'ad-center--table',
    who: 'demo',
    path: '/ad-center',
    open: press('ui.showTable'),
  },
  {
    name: 'ad-center--step',
    who: 'demo',
    path: '/ad-center',
    open: async ({ page }) => {
      await page.getByRole('slider').first().press('Enter');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'ad-center-questions--service',
    who: 'demo',
    path: '/ad-center/questions',
    open: press('faq.ask'),
  },
  {
    name: 'ad-center-feedback--empty',
    who: 'demo',
    path: '/ad-center/feedback',
    open: press('feedback.send'),
  },
  {
    name: 'ad-center-operated--empty',
    who: 'demo',
    path: '/ad-center/operated',
    open: press('operated.follow'),
  },
  {
    name: 'ad-center-operated--confirm',
    who: 'demo',
    path: '/ad-center/operated',
    open: amount('operated.id', 'OP-12345', 'operated.follow'),
  },
  {
    name: 'ad-center-operated--records',
    who: 'demo',
    path: '/ad-center/operated',
    open: tab('operated.tab.records'),
  },
  {
    name: 'ad-center-coupons--used',
    who: 'demo',
    path: '/ad-center/coupons',
    open: tab('offers.status.used'),
  },
  {
    name: 'ad-center-coupons--expired',
    who: 'demo',
    path: '/ad-center/coupons',
    open: tab('offers.status.expired'),
  },
  {
    name: 'ad-center-level--confirm',
    who: 'demo',
    path: '/ad-center/level',
    open: ({ page, t }) =>
      page
        .getByRole('button', { name: anyPrice(t('level.vip.subscribe', { price: '…' })) })
        .click(),
  },
  { name: 'plan--products', who: 'demo', path: '/plan', open: press('plans.start') },
  { name: 'plan--waiting', who: 'demo', path: '/plan', query: '?status=waiting_to_put' },
  { name: 'plan--filters', who: 'demo', path: '/plan', open: press('wallet.filters') },
  { name: 'plan--selecting', who: 'demo', path: '/plan', open: press('plans.selection.begin') },
  { name: 'plan--none-found', who: 'demo', path: '/plan', query: '?search=nothing-like-it' },
  {
    name: 'plan-detail--waiting',
    who: 'demo',
    path: '/plan',
    query: '?status=waiting_to_put',
    open: async ({ page, t }) => {
      await page
        .getByRole('main')
        .getByRole('link', { name: t('plans.status.waiting_to_put') })
        .first()
        .click();
      await page.getByRole('heading', { name: t('plans.targeting.title') }).waitFor();
    },
  },
  { name: 'plan--failed', who: 'demo', path: '/plan', query: '?status=put_failed' },
  {
    name: 'plan-detail--stop',
    who: 'demo',
    path: '/plan/detail',
    open: press('plans.control.stop'),
  },
  { name: 'plan-detail--money', who: 'demo', path: '/plan/detail', open: tab('plans.money') },
  { name: 'plan-detail--bought', who: 'demo', path: '/plan/detail', open: tab('plans.bought') },
  { name: 'plan-detail--gone', who: 'demo', path: '/plan/detail', query: '?id=999999' },
  {
    name: 'plan-goods-detail--put',
    who: 'demo',
    path: '/plan/goods-detail',
    open: press('plans.put'),
  },
  {
    name: 'plan-goods-detail--priced',
    who: 'demo',
    path: '/plan/goods-detail',
    open: async (visit) => {
      await press('plans.put')(visit);
      await field(visit, 'plans.amount').fill('1234.56');
      await visit.page.getByText(visit.t('plans.availableAfter')).waitFor();
    },
  },
  {
    name: 'plan-goods-detail--refused',
    who: 'demo',
    path: '/plan/goods-detail',
    open: async (visit) => {
      await press('plans.put')(visit);
      await amount('plans.amount', '9999999', 'plans.put')(visit);
    },
  },
  {
    name: 'plan-goods-detail--password',
    who: 'demo',
    path: '/plan/goods-detail',
    open: async (visit) => {
      await press('plans.put')(visit);
      await amount('plans.amount', '100.00', 'plans.put')(visit);
      await field(visit, 'ui.passwordLabel').waitFor();
    },
  },
  { name: 'wallet--assets', who: 'demo', path: '/wallet', open: press('wallet.explain') },
  { name: 'wallet--statement', who: 'demo', path: '/wallet', open: press('wallet.statement') },
  {
    name: 'wallet--line',
    who: 'demo',
    path: '/wallet',
    open: ({ page, t }) =>
      page
        .getByRole('list', { name: t('wallet.funding') })
        .getByRole('button')
        .first()
        .click(),
  },
  {
    name: 'wallet-set-password--mismatch',
    who: 'newcomer',
    path: '/wallet/set-password',
    open: async (visit) => {
      for (const [digits, next] of [
        ['582913', 'wallet.next'],
        ['582914', 'wallet.savePassword'],
      ] as const) {
        await field(visit, 'ui.passwordLabel').fill(digits);
        await press(next)(visit);
      }
    },
  },
  {
    name: 'wallet-bind-card--empty',
    who: 'newcomer',
    path: '/wallet/bind-card',
    open: async (visit) => {
      await field(visit, 'wallet.field.card_name').fill('Giro');
      await press('wallet.bind')(visit);
    },
  },
  {
    name: 'wallet-bind-card--address',
    who: 'newcomer',
    path: '/wallet/bind-card',
    open: ({ page }) => page.getByRole('tab').last().click(),
  },
  {
    name: 'wallet-bind-card--replace',
    who: 'demo',
    path: '/wallet/bind-card',
    open: bindAnother,
  },
  {
    name: 'wallet-bind-card--password',
    who: 'demo',
    path: '/wallet/bind-card',
    open: async (visit) => {
      await bindAnother(visit);
      const dialog = visit.page.getByRole('dialog');
      await dialog.getByRole('button', { name: visit.t('wallet.rebind'), exact: true }).click();
      await field(visit, 'ui.passwordLabel').waitFor();
    },
  },
  {
    name: 'wallet-withdraw--held',
    who: 'demo',
    path: '/wallet/withdraw',
    open: async ({ page }) => {
      // Only a live installation holds payouts.
      await page.route('**/api/user/property', async (route) => {
        const answer = await route.fetch();
        const { data, ...envelope } = await answer.json();
        const held = { ...data, payouts_held_until: '2026-11-23T14:30:00Z' };
        await route.fulfill({ response: answer, json: { ...envelope, data: held } });
      });
      await page.reload();
      await page.locator('.rv-skeleton').first().waitFor({ state: 'detached' });
    },
  },
  {
    name: 'wallet-withdraw--refused',
    who: 'demo',
    path: '/wallet/withdraw',
    open: amount('wallet.withdrawAmount', '99999999', 'wallet.withdraw'),
  },
  {
    name: 'wallet-withdraw--password',
    who: 'demo',
    path: '/wallet/withdraw',
    open: amount('wallet.withdrawAmount', '12.00', 'wallet.withdraw'),
  },
  {
    name: 'wallet-withdraw--wrong-password',
    who: 'demo',
    path: '/wallet/withdraw',
    open: async (visit) => {
      await amount('wallet.withdrawAmount', '12.00', 'wallet.withdraw')(visit);
      await field(visit, 'ui.passwordLabel').fill('654321');
      await press('ui.confirm')(visit);
      await visit.page.getByRole('alert').filter({ hasText: /./ }).first().waitFor();
    },
  },
  {
    name: 'wallet-withdraw--asked',
    who: 'demo',
    path: '/wallet/withdraw',
    open: async (visit) => {
      await amount('wallet.withdrawAmount', '12.00', 'wallet.withdraw')(visit);
      await field(visit, 'ui.passwordLabel').fill('123456');
      await press('ui.confirm')(visit);
      await visit.page.getByText(visit.t('wallet.asked')).first().waitFor();
    },
  },
  {
    name: 'wallet-deposit--refused',
    who: 'demo',
    path: '/wallet/deposit',
    open: amount('wallet.withdrawAmount', '99999999', 'wallet.depositPay'),
  },
  {
    name: 'wallet-foreign-exchange--wrong-code',
    who: 'newcomer',
    path: '/wallet/foreign-exchange',
    open: async (visit) => {
      await amount('exchange.code', 'not-a-code', 'exchange.showRates')(visit);
      await field(visit, 'exchange.code').and(visit.page.locator('[aria-invalid=true]')).waitFor();
    },
  },
  {
    name: 'wallet-foreign-exchange--rates',
    who: 'demo',
    path: '/wallet/foreign-exchange',
    open: showRates,
  },
  {
    name: 'wallet-foreign-exchange--confirm',
    who: 'demo',
    path: '/wallet/foreign-exchange',
    open: async (visit) => {
      await showRates(visit);
      await amount('wallet.withdrawAmount', '120.00', 'exchange.check')(visit);
    },
  },
  {
    name: 'me-profile--wrong',
    who: 'demo',
    path: '/me/profile',
    open: async (visit) => {
      await field(visit, 'auth.phone').fill('12');
      await field(visit, 'auth.email').fill('nowhere');
      await press('me.save')(visit);
      await visit.page.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'ad-center-edit-login-password--empty',
    who: 'demo',
    path: '/ad-center/edit-login-password',
    open: press('me.password.save'),
  },
  {
    name: 'plan-detail--lines',
    who: 'demo',
    path: '/plan/detail',
    open: async ({ page, t }) => {
      await page
        .getByRole('link', { name: t('wallet.kind.ad_billing') })
        .first()
        .click();
      await page.getByRole('group', { name: t('wallet.filters') }).waitFor();
      await page.locator('.rv-skeleton').first().waitFor({ state: 'detached' });
    },
  },
  { name: 'plan--disabled', who: 'newcomer', path: '/plan', open: disable },
  {
    name: 'plan--disabled-told',
    who: 'newcomer',
    path: '/plan',
    open: async (visit) => {
      await disable(visit);
      await press('app.service.close')(visit);
      await visit.page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'wallet--unreachable',
    who: 'newcomer',
    path: '/wallet',
    open: async ({ page }) => {
      await page.route('**/api/user/**', (route) => route.abort());
      await page.reload();
      await page.getByRole('main').waitFor();
      await page.locator('.rv-skeleton').first().waitFor({ state: 'detached' });
    },
  },
];

/** Up to the question whether to replace the bound card. */
async function bindAnother(visit: Visit) {
  await field(visit, 'wallet.field.card_name').fill('Savings');
  await field(visit, 'wallet.field.bank_account').fill('40009876543');
  await press('wallet.rebind')(visit);
  await visit.page.getByRole('dialog').waitFor();
}

/** Refuses every call, as the server does for a disabled account. */
async function disable({ page }: Visit) {
  await page.route('**/api/**', (route) =>
    route.fulfill({ json: { code: 403, msg: '', data: { error: 'account_disabled' } } }),
  );
  await page.reload();
  await page.getByRole('dialog').waitFor();
}

/** The code is the demonstration's: crates/demo/content/acceptors.toml. */
async function showRates(visit: Visit) {
  await tab('exchange.type.enterprise')(visit);
  await amount('exchange.code', 'DEMO-ENTERPRISE-1', 'exchange.showRates')(visit);
  await visit.page.getByText(visit.t('exchange.into'), { exact: true }).first().waitFor();
}

function anyPrice(text: string) {
  const [before = '', after = ''] = text.split('…');
  return new RegExp(`^${before}.+${after}$`);
}

/** In an order that signs nobody in twice. */
export const allStates: State[] = [...whole, ...empty, ...states].sort((a, b) => {
  const order: Who[] = ['nobody', 'newcomer', 'demo'];
  return order.indexOf(a.who) - order.indexOf(b.who);
});
