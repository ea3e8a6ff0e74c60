import type { ParseKeys } from 'i18next';
import type { ComponentType } from 'react';
import type { Page } from '@/pages';
import type { Loader } from '@/shared/page/loader';
import type { Loaders } from './data';

/** `none` shows no arrow; `native` shows none either, but a shell's back key closes the app. */
type Arrow = 'none' | 'native' | 'history';
export type BackRule = Arrow | { to: Page };

/** The tab that Back leads to from the others; the app is left from there. */
export const HOME = '/ad-center' satisfies Page;

type Icon = 'service' | 'language' | 'notification' | 'logout';

/** The file of a page, which exports its component and nothing else. */
export type PageFile = Record<string, ComponentType>;

export type Route = {
  path: Page;
  title: ParseKeys | null;
  /** The name of the page in the browser's tab and for screen readers; the title by default. */
  name: ParseKeys | null;
  needsLogin: boolean;
  /**
   * Whether the page waits for the texts of all pages, as those behind the login do. The others
   * have their own texts.
   */
  allTexts: boolean;
  /** Signed-in users are redirected from here. */
  signedOutOnly: boolean;
  back: BackRule;
  icons: readonly Icon[];
  transparent: boolean;
  tabBar: boolean;
  load(): Promise<PageFile>;
  /**
   * The requests that a page behind the login needs first. They do not wait for the page's code,
   * and the login page does not wait for the loaders.
   */
  reads?(loaders: Loaders): Loader;
};

/** A page's record; what it leaves out is the same for most pages. */
type Definition = Pick<Route, 'title' | 'load'> & Partial<Omit<Route, 'path'>>;

/**
 * A record without the fields that depend on the list of pages, because that list is derived from
 * the records.
 */
type Draft = Omit<Definition, 'back' | 'load'> & {
  back?: Arrow | { to: string };
  load(): Promise<object>;
};

/** The fields that both pages for signed-out users share. */
const entrance = {
  title: null,
  needsLogin: false,
  signedOutOnly: true,
  back: 'none',
  icons: ['service', 'language'],
} as const;

/**
 * The fields that pages for people without an account share: a link from staff in the address opens
 * them.
 */
const byLink = { needsLogin: false, allTexts: true, back: 'none', icons: ['language'] } as const;

/** The fields that both pages for setting the transaction password share. */
const setPassword = {
  title: 'app.title.setPassword',
  load: () => import('@/features/wallet/password/SetPasswordPage'),
  reads: (loaders: Loaders) => loaders.wallet.readProperty,
} as const;

/** Each page by its path. By default, a page needs a login and has a back arrow. */
export const pages = {
  '/login': {
    ...entrance,
    name: 'auth.login',
    load: () => import('@/features/people/auth/LoginPage'),
  },
  '/register': {
    ...entrance,
    name: 'auth.register',
    load: () => import('@/features/people/auth/RegisterPage'),
  },
  '/reset-password': {
    title: null,
    name: 'app.title.resetPassword',
    needsLogin: false,
    allTexts: true,
    back: { to: '/login' },
    icons: ['service', 'language'],
    load: () => import('@/features/people/reset/ResetPage'),
  },
  '/entry': {
    title: null,
    needsLogin: false,
    back: 'none',
    icons: [],
    load: () => import('@/features/people/entry/EntryPage'),
  },
  '/ad-welcome': {
    title: null,
    name: 'auth.welcomeTitle',
    needsLogin: false,
    allTexts: true,
    back: 'none',
    icons: [],
    transparent: true,
    load: () => import('@/features/people/entry/WelcomePage'),
  },
  // The page for publishers.
  '/publisher': {
    ...byLink,
    title: 'app.title.publisher',
    load: () => import('@/features/publisher/PublisherPage'),
  },
  // The page for counterparties that claim a key.
  '/claim': {
    ...byLink,
    title: 'app.title.claim',
    load: () => import('@/features/claim/ClaimPage'),
  },
  '/ad-center': {
    title: 'app.title.adCenter',
    back: 'native',
    icons: ['language', 'notification', 'logout'],
    tabBar: true,
    load: () => import('@/features/ad-center/AdCenterPage'),
    reads: (loaders) => loaders.adCenter.readAdCenter,
  },
  '/ad-center/feedback': {
    title: 'app.title.feedback',
    load: () => import('@/features/help/feedback/FeedbackPage'),
  },
  '/ad-center/questions': {
    title: 'app.title.questions',
    load: () => import('@/features/help/faq/QuestionsPage'),
    reads: (loaders) => loaders.help.readHelp,
  },
  '/ad-center/ques-detail': {
    title: 'app.title.question',
    icons: [],
    load: () => import('@/features/help/faq/QuestionPage'),
    reads: (loaders) => loaders.help.readHelp,
  },
  '/ad-center/rules': {
    title: 'app.title.rules',
    load: () => import('@/features/help/faq/RulesPage'),
    reads: (loaders) => loaders.help.readHelp,
  },
  '/ad-center/operated': {
    title: 'app.title.operated',
    load: () => import('@/features/plans/operated/OperatedPage'),
    reads: (loaders) => loaders.plans.readFollows,
  },
  '/ad-center/activities': {
    title: 'app.title.activities',
    load: () => import('@/features/offers/ActivitiesPage'),
    reads: (loaders) => loaders.offers.readActivities,
  },
  '/ad-center/coupons': {
    title: 'app.title.coupons',
    load: () => import('@/features/offers/CouponsPage'),
    reads: (loaders) => loaders.offers.readCoupons,
  },
  '/ad-center/level': {
    title: 'app.title.level',
    load: () => import('@/features/offers/level/LevelPage'),
    reads: (loaders) => loaders.offers.readLevel,
  },
  '/notification': {
    title: 'app.title.notifications',
    load: () => import('@/features/notifications/NotificationPage'),
    reads: (loaders) => loaders.notifications.readNotifications,
  },
  '/plan': {
    title: 'app.title.plans',
    back: { to: '/ad-center' },
    icons: ['language', 'notification', 'logout'],
    tabBar: true,
    load: () => import('@/features/plans/list/PlanListPage'),
    reads: (loaders) => loaders.plans.readPlans,
  },
  '/plan/detail': {
    title: 'app.title.plan',
    load: () => import('@/features/plans/detail/PlanDetailPage'),
    reads: (loaders) => loaders.plans.readPlan,
  },
  '/plan/compare': {
    title: 'app.title.compare',
    load: () => import('@/features/plans/compare/ComparePage'),
    reads: (loaders) => loaders.plans.readCompare,
  },
  '/plan/events': {
    title: 'app.title.planEvents',
    load: () => import('@/features/plans/events/EventsPage'),
    reads: (loaders) => loaders.plans.readEvents,
  },
  '/plan/event': {
    title: 'app.title.planEvent',
    load: () => import('@/features/plans/events/EventPage'),
    reads: (loaders) => loaders.plans.readEvent,
  },
  '/plan/goods-detail': {
    title: 'app.title.product',
    transparent: true,
    load: () => import('@/features/plans/put/GoodsDetailPage'),
    reads: (loaders) => loaders.plans.readProduct,
  },
  '/report': {
    title: 'app.title.report',
    load: () => import('@/features/reports/ReportPage'),
    reads: (loaders) => loaders.reports.readReport,
  },
  '/wallet': {
    title: 'app.title.wallet',
    tabBar: true,
    load: () => import('@/features/wallet/overview/WalletPage'),
    reads: (loaders) => loaders.wallet.readWallet,
  },
  '/wallet/set-password': setPassword,
  '/ad-center/edit-pay-password': setPassword,
  '/wallet/bind-card': {
    title: 'app.title.bindCard',
    load: () => import('@/features/wallet/card/BindCardPage'),
    reads: (loaders) => loaders.wallet.readCard,
  },
  '/wallet/withdraw': {
    title: 'app.title.withdraw',
    load: () => import('@/features/wallet/withdraw/WithdrawPage'),
    reads: (loaders) => loaders.wallet.readWithdrawal,
  },
  '/ad-center/edit-login-password': {
    title: 'app.title.loginPassword',
    load: () => import('@/features/people/login-password/LoginPasswordPage'),
  },
  '/me': {
    title: 'app.title.me',
    back: { to: '/ad-center' },
    icons: ['language', 'notification', 'logout'],
    tabBar: true,
    load: () => import('@/features/people/me/MePage'),
    reads: (loaders) => loaders.people.readAccount,
  },
  '/me/profile': {
    title: 'app.title.profile',
    load: () => import('@/features/people/profile/ProfilePage'),
    reads: (loaders) => loaders.people.readAccount,
  },
  '/me/sessions': {
    title: 'app.title.sessions',
    load: () => import('@/features/people/sessions/SessionsPage'),
    reads: (loaders) => loaders.people.readSessions,
  },
  '/me/push': {
    title: 'app.title.push',
    load: () => import('@/features/people/push/PushPage'),
    reads: (loaders) => loaders.people.readPush,
  },
  '/me/close': {
    title: 'app.title.closeAccount',
    load: () => import('@/features/people/close/ClosePage'),
    reads: (loaders) => loaders.people.readClosing,
  },
  '/wallet/foreign-exchange': {
    title: 'app.title.foreignExchange',
    transparent: true,
    load: () => import('@/features/wallet/exchange/ForeignExchangePage'),
    reads: (loaders) => loaders.wallet.readExchange,
  },
  '/wallet/recharge': {
    title: 'app.title.recharge',
    load: () => import('@/features/wallet/recharge/RechargePage'),
    reads: (loaders) => loaders.wallet.readRecharges,
  },
  '/wallet/check': {
    title: 'app.title.check',
    load: () => import('@/features/wallet/check/CheckPage'),
    reads: (loaders) => loaders.wallet.readMonths,
  },
  '/wallet/deposit': {
    title: 'app.title.deposit',
    load: () => import('@/features/wallet/deposit/DepositPage'),
    reads: (loaders) => loaders.wallet.readProperty,
  },
  '/customer': {
    title: 'app.title.customer',
    icons: [],
    load: () => import('@/features/help/customer/CustomerPage'),
    reads: (loaders) => loaders.help.readConversation,
  },
} as const satisfies Record<string, Draft>;

const definitions: Record<Page, Definition> = pages;

export const routes = (Object.keys(definitions) as Page[]).map(
  (path): Route => ({
    path,
    name: definitions[path].title,
    needsLogin: true,
    allTexts: definitions[path].needsLogin !== false,
    signedOutOnly: false,
    back: 'history',
    icons: ['language', 'notification'],
    transparent: false,
    tabBar: false,
    ...definitions[path],
  }),
);

export function routeAt(pathname: string): Route | null {
  const wanted = pathname.replace(/(.)\/$/, '$1');
  return routes.find(({ path }) => path === wanted) ?? null;
}

/** `/plan/goods-detail` -> `plan-goods-detail`. */
export function routeName(path: string): string {
  return path.slice(1).replaceAll('/', '-');
}
