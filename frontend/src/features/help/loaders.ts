import { basicConfigQuery } from '@/shared/config/basic-config';
import type { Read } from '@/shared/page/read';

/** The questions, and the fees named in the rules. */
export const readHelp: Read = (client) => [client.ensureQueryData(basicConfigQuery())];
