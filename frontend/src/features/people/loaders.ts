import { propertyQuery } from '@/api/use-property';
import { userInfoQuery } from '@/api/use-user-info';
import type { Read } from '@/shared/page/read';
import { sessionsQuery } from './me/queries';

/** For every page about the account itself. */
export const readAccount: Read = (client) => [client.ensureQueryData(userInfoQuery)];

export const readSessions: Read = (client) => [client.ensureQueryData(sessionsQuery)];

/** What is left in the wallet, which has to be empty before an account is closed. */
export const readClosing: Read = (client) => [client.ensureQueryData(propertyQuery)];
