import { propertyQuery } from '@/api/queries/use-property';
import { userQuery } from '@/api/user';
import type { Loader } from '@/shared/page/loader';
import { pushDevicesQuery } from '@/shared/push/devices';
import { sessionsQuery } from './me/queries';

/** For every page about the account itself. */
export const readAccount: Loader = (client) => [
  client.ensureQueryData({ ...userQuery, revalidateIfStale: true }),
];

export const readSessions: Loader = (client) => [client.ensureQueryData(sessionsQuery)];

export const readPush: Loader = (client) => [client.ensureQueryData(pushDevicesQuery)];

/** The wallet's balances, which must be zero before an account is closed. */
export const readClosing: Loader = (client) => [client.ensureQueryData(propertyQuery)];
