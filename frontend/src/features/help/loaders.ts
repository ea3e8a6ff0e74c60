import { basicConfigQuery } from '@/shared/config/basic-config';
import type { Read } from '@/shared/page/read';
import { conversationQuery } from './conversation/queries';

/** The questions, and the fees named in the rules. */
export const readHelp: Read = (client) => [client.ensureQueryData(basicConfigQuery())];

/** Our own conversation; a contact's page is loaded by its frame. */
export const readConversation: Read = (client, search) =>
  search.has('url') ? [] : [client.ensureQueryData(conversationQuery)];
