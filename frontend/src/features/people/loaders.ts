import { propertyQuery } from '@/api/use-property';
import { userQuery } from '@/api/user';
import type { Read } from '@/shared/page/read';
import { sessionsQuery } from './me/queries';

/** For every page about the account itself. */
export const readAccount: Read = (client) => [
  client.ensureQueryData({ ...userQuery, revalidateIfStale: true }),
];

export const readSessions: Read = (client) => [client.ensureQueryData(sessionsQuery)];

/** What is left in the wallet, which has to be empty before an account is closed. */
export const readClosing: Read = (client) => [client.ensureQueryData(propertyQuery)];
