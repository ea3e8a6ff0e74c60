import { propertyQuery } from '@/api/queries/use-property';
import { userQuery } from '@/api/user';
import type { Read } from '@/shared/page/read';
import { sessionsQuery } from './me/queries';

/** For every page about the account itself. */
export const readAccount: Read = (client) => [
  client.ensureQueryData({ ...userQuery, revalidateIfStale: true }),
];

export const readSessions: Read = (client) => [client.ensureQueryData(sessionsQuery)];

/** The wallet's balances, which must be zero before an account is closed. */
export const readClosing: Read = (client) => [client.ensureQueryData(propertyQuery)];
