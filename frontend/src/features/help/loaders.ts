import { basicConfigQuery } from '@/shared/config/basic-config';
import type { Loader } from '@/shared/page/loader';
import { conversationQuery } from './conversation/queries';

/** The questions, and the fees named in the rules. */
export const readHelp: Loader = (client) => [client.ensureQueryData(basicConfigQuery())];

/** Our own conversation; a contact's page is loaded by its frame. */
export const readConversation: Loader = (client, search) =>
  search.has('url') ? [] : [client.ensureQueryData(conversationQuery)];
