import type { ParseKeys } from 'i18next';
import type { ComponentType } from 'react';
import type { Page } from '@/pages';

/** `none` shows no arrow; `native` shows none either, but a shell's back key closes the app. */
export type BackRule = 'none' | 'native' | 'history' | { to: Page };

/** The tab that Back leads to from the others; the app is left from there. */
export const HOME = '/ad-center' satisfies Page;

type Icon = 'service' | 'language' | 'notification' | 'logout';

export type Route = {
  path: Page;
  title: ParseKeys | null;
  /** In the browser's tab, and where a screen reader says which page it is; else the title. */
  name: ParseKeys | null;
  needsLogin: boolean;
  /** It waits for the texts of all pages, as those behind the login do; others have their own. */
  allTexts: boolean;
  /** Signed-in users are redirected from here. */
  signedOutOnly: boolean;
  back: BackRule;
  icons: readonly Icon[];
  transparent: boolean;
  tabBar: boolean;
  load(): Promise<ComponentType>;
};

type Given = Pick<Route, 'path' | 'title' | 'load'> & Partial<Route>;

function route(given: Given): Route {
  return {
    needsLogin: true,
    allTexts: given.needsLogin !== false,
    signedOutOnly: false,
    back: 'history',
    icons: ['language', 'notification'],
    transparent: false,
    tabBar: false,
    name: given.title,
    ...given,
  };
}

/** A page of a file. Taken from the import itself, each would be ten bytes more before the login. */
function one<N extends string>(name: N, load: () => Promise<Record<N, ComponentType>>) {
  return async () => (await load())[name];
}

const setPassword = one(
  'SetPasswordPage',
  () => import('@/features/wallet/password/SetPasswordPage'),
);

/** What is the same of both pages for who is not signed in. */
const entrance = {
  title: null,
  needsLogin: false,
  signedOutOnly: true,
  back: 'none',
  icons: ['service', 'language'],
} as const;

export const routes: Route[] = [
  route({
    ...entrance,
    path: '/login',
    name: 'auth.login',
    load: one('LoginPage', () => import('@/features/people/auth/LoginPage')),
  }),
  route({
    ...entrance,
    path: '/register',
    name: 'auth.register',
    load: one('RegisterPage', () => import('@/features/people/auth/RegisterPage')),
  }),
  route({
    path: '/reset-password',
    title: null,
    name: 'app.title.resetPassword',
    needsLogin: false,
    allTexts: true,
    back: { to: '/login' },
    icons: ['service', 'language'],
    load: one('ResetPage', () => import('@/features/people/reset/ResetPage')),
  }),
  route({
    path: '/entry',
    title: null,
    needsLogin: false,
    back: 'none',
    icons: [],
    load: one('EntryPage', () => import('@/features/people/entry/EntryPage')),
  }),
  route({
    path: '/ad-welcome',
    title: null,
    name: 'auth.openTitle',
    needsLogin: false,
    back: 'none',
    icons: [],
    transparent: true,
    load: one('WelcomePage', () => import('@/features/people/entry/WelcomePage')),
  }),
  // For publishers, who have no account: a link in the address opens it.
  route({
    path: '/publisher',
    title: 'app.title.publisher',
    needsLogin: false,
    allTexts: true,
    back: 'none',
    icons: ['language'],
    load: one('PublisherPage', () => import('@/features/publisher/PublisherPage')),
  }),
  // For whoever gets a key, who has no account either.
  route({
    path: '/claim',
    title: 'app.title.claim',
    needsLogin: false,
    allTexts: true,
    back: 'none',
    icons: ['language'],
    load: one('ClaimPage', () => import('@/features/claim/ClaimPage')),
  }),
  route({
    path: '/ad-center',
    title: 'app.title.adCenter',
    back: 'native',
    icons: ['language', 'notification', 'logout'],
    tabBar: true,
    load: one('AdCenterPage', () => import('@/features/ad-center/AdCenterPage')),
  }),
  route({
    path: '/ad-center/feedback',
    title: 'app.title.feedback',
    load: one('FeedbackPage', () => import('@/features/help/feedback/FeedbackPage')),
  }),
  route({
    path: '/ad-center/questions',
    title: 'app.title.questions',
    load: one('QuestionsPage', () => import('@/features/help/faq/QuestionsPage')),
  }),
  route({
    path: '/ad-center/ques-detail',
    title: 'app.title.question',
    icons: [],
    load: one('QuestionPage', () => import('@/features/help/faq/QuestionPage')),
  }),
  route({
    path: '/ad-center/rules',
    title: 'app.title.rules',
    load: one('RulesPage', () => import('@/features/help/faq/RulesPage')),
  }),
  route({
    path: '/ad-center/operated',
    title: 'app.title.operated',
    load: one('OperatedPage', () => import('@/features/plans/operated/OperatedPage')),
  }),
  route({
    path: '/ad-center/activities',
    title: 'app.title.activities',
    load: one('ActivitiesPage', () => import('@/features/offers/ActivitiesPage')),
  }),
  route({
    path: '/ad-center/coupons',
    title: 'app.title.coupons',
    load: one('CouponsPage', () => import('@/features/offers/CouponsPage')),
  }),
  route({
    path: '/ad-center/level',
    title: 'app.title.level',
    load: one('LevelPage', () => import('@/features/offers/level/LevelPage')),
  }),
  route({
    path: '/notification',
    title: 'app.title.notifications',
    load: one('NotificationPage', () => import('@/features/notifications/NotificationPage')),
  }),
  route({
    path: '/plan',
    title: 'app.title.plans',
    back: { to: '/ad-center' },
    icons: ['language', 'notification', 'logout'],
    tabBar: true,
    load: one('PlanListPage', () => import('@/features/plans/list/PlanListPage')),
  }),
  route({
    path: '/plan/detail',
    title: 'app.title.plan',
    load: one('PlanDetailPage', () => import('@/features/plans/detail/PlanDetailPage')),
  }),
  route({
    path: '/plan/events',
    title: 'app.title.planEvents',
    load: one('EventsPage', () => import('@/features/plans/events/EventsPage')),
  }),
  route({
    path: '/plan/event',
    title: 'app.title.planEvent',
    load: one('EventPage', () => import('@/features/plans/events/EventPage')),
  }),
  route({
    path: '/plan/goods-detail',
    title: 'app.title.product',
    transparent: true,
    load: one('GoodsDetailPage', () => import('@/features/plans/put/GoodsDetailPage')),
  }),
  route({
    path: '/wallet',
    title: 'app.title.wallet',
    tabBar: true,
    load: one('WalletPage', () => import('@/features/wallet/overview/WalletPage')),
  }),
  route({
    path: '/wallet/set-password',
    title: 'app.title.setPassword',
    load: setPassword,
  }),
  route({
    path: '/ad-center/edit-pay-password',
    title: 'app.title.setPassword',
    load: setPassword,
  }),
  route({
    path: '/wallet/bind-card',
    title: 'app.title.bindCard',
    load: one('BindCardPage', () => import('@/features/wallet/card/BindCardPage')),
  }),
  route({
    path: '/wallet/withdraw',
    title: 'app.title.withdraw',
    load: one('WithdrawPage', () => import('@/features/wallet/withdraw/WithdrawPage')),
  }),
  route({
    path: '/ad-center/edit-login-password',
    title: 'app.title.loginPassword',
    load: one(
      'LoginPasswordPage',
      () => import('@/features/people/login-password/LoginPasswordPage'),
    ),
  }),
  route({
    path: '/me',
    title: 'app.title.me',
    back: { to: '/ad-center' },
    icons: ['language', 'notification', 'logout'],
    tabBar: true,
    load: one('MePage', () => import('@/features/people/me/MePage')),
  }),
  route({
    path: '/me/profile',
    title: 'app.title.profile',
    load: one('ProfilePage', () => import('@/features/people/profile/ProfilePage')),
  }),
  route({
    path: '/me/sessions',
    title: 'app.title.sessions',
    load: one('SessionsPage', () => import('@/features/people/sessions/SessionsPage')),
  }),
  route({
    path: '/me/close',
    title: 'app.title.closeAccount',
    load: one('ClosePage', () => import('@/features/people/close/ClosePage')),
  }),
  route({
    path: '/wallet/foreign-exchange',
    title: 'app.title.foreignExchange',
    transparent: true,
    load: one(
      'ForeignExchangePage',
      () => import('@/features/wallet/exchange/ForeignExchangePage'),
    ),
  }),
  route({
    path: '/wallet/recharge',
    title: 'app.title.recharge',
    load: one('RechargePage', () => import('@/features/wallet/recharge/RechargePage')),
  }),
  route({
    path: '/wallet/deposit',
    title: 'app.title.deposit',
    load: one('DepositPage', () => import('@/features/wallet/deposit/DepositPage')),
  }),
  route({
    path: '/customer',
    title: 'app.title.customer',
    icons: [],
    load: one('CustomerPage', () => import('@/features/help/customer/CustomerPage')),
  }),
];

export function routeAt(pathname: string): Route | null {
  const wanted = pathname.replace(/(.)\/$/, '$1');
  return routes.find(({ path }) => path === wanted) ?? null;
}

/** `/plan/goods-detail` -> `plan-goods-detail`. */
export function routeName(path: string): string {
  return path.slice(1).replaceAll('/', '-');
}
