/*
 * The queries of the pages. The file is loaded with the code of the first page behind the login,
 * before anything else of it is drawn; the login itself does not wait for it.
 */

import { onNewNotices } from '@/api/queries/invalidate';
import { queryClient } from '@/api/query-client';
import * as adCenter from '@/features/ad-center/loaders';
import * as help from '@/features/help/loaders';
import * as notifications from '@/features/notifications/loaders';
import * as offers from '@/features/offers/loaders';
import * as people from '@/features/people/loaders';
import * as plans from '@/features/plans/loaders';
import * as reports from '@/features/reports/loaders';
import * as wallet from '@/features/wallet/loaders';
import { persistFigures } from '@/installed/figures';
import { barred } from '@/shared/account/barred';
import { unread } from '@/shared/account/unread';
import { basicConfigQuery } from '@/shared/config/basic-config';
import { refetchOnLanguageChange } from './refetch-on-language';
import type { Route } from './routes';

const loaders = { adCenter, help, notifications, offers, people, plans, reports, wallet };
export type Loaders = typeof loaders;

/** It begins before the first query, so that it misses none. */
export const figures = persistFigures(queryClient);
refetchOnLanguageChange(queryClient);
onNewNotices(() => void unread.refetch());

/** Starts a page's first queries. Failures are shown where the page is drawn. */
export function prefetch({ reads }: Route, search: URLSearchParams) {
  return Promise.allSettled(barred.get() || !reads ? [] : reads(loaders)(queryClient, search));
}

/** If it cannot be read, the stored one is used. */
export function prefetchConfig() {
  return queryClient.prefetchQuery(basicConfigQuery());
}
