/*
 * The queries of the pages. The file is loaded with the code of the first page behind the login,
 * before anything else of it is drawn; the login itself does not wait for it.
 */

import { queryClient } from '@/api/query-client';
import { readAdCenter } from '@/features/ad-center/loaders';
import { readConversation, readHelp } from '@/features/help/loaders';
import { readNotifications } from '@/features/notifications/loaders';
import { readActivities, readCoupons, readLevel } from '@/features/offers/loaders';
import { readAccount, readClosing, readSessions } from '@/features/people/loaders';
import {
  readEvent,
  readEvents,
  readFollows,
  readPlan,
  readPlans,
  readProduct,
} from '@/features/plans/loaders';
import {
  readCard,
  readExchange,
  readProperty,
  readRecharges,
  readWallet,
  readWithdrawal,
} from '@/features/wallet/loaders';
import { keepFigures } from '@/installed/figures';
import type { Page } from '@/pages';
import { barred } from '@/shared/account/barred';
import { basicConfigQuery } from '@/shared/config/basic-config';
import type { Read } from '@/shared/page/read';
import { askInLanguage } from './query-language';

/** What each page behind the login reads first, by its path; the others read nothing. */
const reads: Partial<Record<Page, Read>> = {
  '/ad-center': readAdCenter,
  '/ad-center/questions': readHelp,
  '/ad-center/ques-detail': readHelp,
  '/ad-center/rules': readHelp,
  '/ad-center/operated': readFollows,
  '/ad-center/activities': readActivities,
  '/ad-center/coupons': readCoupons,
  '/ad-center/level': readLevel,
  '/notification': readNotifications,
  '/plan': readPlans,
  '/plan/detail': readPlan,
  '/plan/events': readEvents,
  '/plan/event': readEvent,
  '/plan/goods-detail': readProduct,
  '/wallet': readWallet,
  '/wallet/set-password': readProperty,
  '/ad-center/edit-pay-password': readProperty,
  '/wallet/bind-card': readCard,
  '/wallet/withdraw': readWithdrawal,
  '/wallet/foreign-exchange': readExchange,
  '/wallet/deposit': readProperty,
  '/customer': readConversation,
  '/wallet/recharge': readRecharges,
  '/me': readAccount,
  '/me/profile': readAccount,
  '/me/sessions': readSessions,
  '/me/close': readClosing,
};

/** From the first query on, so that none is missed. */
export const figures = keepFigures(queryClient);
askInLanguage(queryClient);

/** Starts a page's first queries. Failures are shown where the page is drawn. */
export function ask(path: Page, search: URLSearchParams) {
  return Promise.allSettled(barred.get() ? [] : (reads[path]?.(queryClient, search) ?? []));
}

/** If it cannot be read, the stored one is used. */
export function askConfig() {
  return queryClient.prefetchQuery(basicConfigQuery());
}
