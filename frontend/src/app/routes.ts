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

export const routes: Route[] = [
  route({
    path: '/login',
    title: null,
    name: 'auth.login',
    needsLogin: false,
    signedOutOnly: true,
    back: 'none',
    icons: ['service', 'language'],
    load: async () => (await import('@/features/people/auth/LoginPage')).LoginPage,
  }),
  route({
    path: '/register',
    title: null,
    name: 'auth.register',
    needsLogin: false,
    signedOutOnly: true,
    back: 'none',
    icons: ['service', 'language'],
    load: async () => (await import('@/features/people/auth/RegisterPage')).RegisterPage,
  }),
  route({
    path: '/reset-password',
    title: null,
    name: 'app.title.resetPassword',
    needsLogin: false,
    allTexts: true,
    back: { to: '/login' },
    icons: ['service', 'language'],
    load: async () => (await import('@/features/people/reset/ResetPage')).ResetPage,
  }),
  route({
    path: '/entry',
    title: null,
    needsLogin: false,
    back: 'none',
    icons: [],
    load: async () => (await import('@/features/people/entry/EntryPage')).EntryPage,
  }),
  route({
    path: '/ad-welcome',
    title: null,
    name: 'auth.openTitle',
    needsLogin: false,
    back: 'none',
    icons: [],
    transparent: true,
    load: async () => (await import('@/features/people/entry/WelcomePage')).WelcomePage,
  }),
  // For publishers, who have no account: a link in the address opens it.
  route({
    path: '/publisher',
    title: 'app.title.publisher',
    needsLogin: false,
    allTexts: true,
    back: 'none',
    icons: ['language'],
    load: async () => (await import('@/features/publisher/PublisherPage')).PublisherPage,
  }),
  // For whoever gets a key, who has no account either.
  route({
    path: '/claim',
    title: 'app.title.claim',
    needsLogin: false,
    allTexts: true,
    back: 'none',
    icons: ['language'],
    load: async () => (await import('@/features/claim/ClaimPage')).ClaimPage,
  }),
  route({
    path: '/ad-center',
    title: 'app.title.adCenter',
    back: 'native',
    icons: ['language', 'notification', 'logout'],
    tabBar: true,
    load: async () => (await import('@/features/ad-center/AdCenterPage')).AdCenterPage,
  }),
  route({
    path: '/ad-center/feedback',
    title: 'app.title.feedback',
    load: async () => (await import('@/features/help/feedback/FeedbackPage')).FeedbackPage,
  }),
  route({
    path: '/ad-center/questions',
    title: 'app.title.questions',
    load: async () => (await import('@/features/help/faq/QuestionsPage')).QuestionsPage,
  }),
  route({
    path: '/ad-center/ques-detail',
    title: 'app.title.question',
    icons: [],
    load: async () => (await import('@/features/help/faq/QuestionPage')).QuestionPage,
  }),
  route({
    path: '/ad-center/rules',
    title: 'app.title.rules',
    load: async () => (await import('@/features/help/faq/RulesPage')).RulesPage,
  }),
  route({
    path: '/ad-center/operated',
    title: 'app.title.operated',
    load: async () => (await import('@/features/plans/operated/OperatedPage')).OperatedPage,
  }),
  route({
    path: '/ad-center/activities',
    title: 'app.title.activities',
    load: async () => (await import('@/features/offers/ActivitiesPage')).ActivitiesPage,
  }),
  route({
    path: '/ad-center/coupons',
    title: 'app.title.coupons',
    load: async () => (await import('@/features/offers/CouponsPage')).CouponsPage,
  }),
  route({
    path: '/ad-center/level',
    title: 'app.title.level',
    load: async () => (await import('@/features/offers/level/LevelPage')).LevelPage,
  }),
  route({
    path: '/notification',
    title: 'app.title.notifications',
    load: async () => (await import('@/features/notifications/NotificationPage')).NotificationPage,
  }),
  route({
    path: '/plan',
    title: 'app.title.plans',
    back: { to: '/ad-center' },
    icons: ['language', 'notification', 'logout'],
    tabBar: true,
    load: async () => (await import('@/features/plans/list/PlanListPage')).PlanListPage,
  }),
  route({
    path: '/plan/detail',
    title: 'app.title.plan',
    load: async () => (await import('@/features/plans/detail/PlanDetailPage')).PlanDetailPage,
  }),
  route({
    path: '/plan/events',
    title: 'app.title.planEvents',
    load: async () => (await import('@/features/plans/events/EventsPage')).EventsPage,
  }),
  route({
    path: '/plan/event',
    title: 'app.title.planEvent',
    load: async () => (await import('@/features/plans/events/EventPage')).EventPage,
  }),
  route({
    path: '/plan/goods-detail',
    title: 'app.title.product',
    transparent: true,
    load: async () => (await import('@/features/plans/put/GoodsDetailPage')).GoodsDetailPage,
  }),
  route({
    path: '/wallet',
    title: 'app.title.wallet',
    tabBar: true,
    load: async () => (await import('@/features/wallet/overview/WalletPage')).WalletPage,
  }),
  route({
    path: '/wallet/set-password',
    title: 'app.title.setPassword',
    load: async () => (await import('@/features/wallet/password/SetPasswordPage')).SetPasswordPage,
  }),
  route({
    path: '/ad-center/edit-pay-password',
    title: 'app.title.setPassword',
    load: async () => (await import('@/features/wallet/password/SetPasswordPage')).SetPasswordPage,
  }),
  route({
    path: '/wallet/bind-card',
    title: 'app.title.bindCard',
    load: async () => (await import('@/features/wallet/card/BindCardPage')).BindCardPage,
  }),
  route({
    path: '/wallet/withdraw',
    title: 'app.title.withdraw',
    load: async () => (await import('@/features/wallet/withdraw/WithdrawPage')).WithdrawPage,
  }),
  route({
    path: '/ad-center/edit-login-password',
    title: 'app.title.loginPassword',
    load: async () =>
      (await import('@/features/people/login-password/LoginPasswordPage')).LoginPasswordPage,
  }),
  route({
    path: '/me',
    title: 'app.title.me',
    back: { to: '/ad-center' },
    icons: ['language', 'notification', 'logout'],
    tabBar: true,
    load: async () => (await import('@/features/people/me/MePage')).MePage,
  }),
  route({
    path: '/me/profile',
    title: 'app.title.profile',
    load: async () => (await import('@/features/people/profile/ProfilePage')).ProfilePage,
  }),
  route({
    path: '/me/sessions',
    title: 'app.title.sessions',
    load: async () => (await import('@/features/people/sessions/SessionsPage')).SessionsPage,
  }),
  route({
    path: '/me/close',
    title: 'app.title.closeAccount',
    load: async () => (await import('@/features/people/close/ClosePage')).ClosePage,
  }),
  route({
    path: '/wallet/foreign-exchange',
    title: 'app.title.foreignExchange',
    transparent: true,
    load: async () =>
      (await import('@/features/wallet/exchange/ForeignExchangePage')).ForeignExchangePage,
  }),
  route({
    path: '/wallet/recharge',
    title: 'app.title.recharge',
    load: async () => (await import('@/features/wallet/recharge/RechargePage')).RechargePage,
  }),
  route({
    path: '/wallet/deposit',
    title: 'app.title.deposit',
    load: async () => (await import('@/features/wallet/deposit/DepositPage')).DepositPage,
  }),
  route({
    path: '/customer',
    title: 'app.title.customer',
    icons: [],
    load: async () => (await import('@/features/help/customer/CustomerPage')).CustomerPage,
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
