import { basicConfigQuery } from '@/shared/config/basic-config';
import type { Read } from '@/shared/page/read';

/** Questions, and the fees that the rules name. */
export const readHelp: Read = (client) => [client.ensureQueryData(basicConfigQuery())];
