import type { Loader } from '@/shared/page/loader';
import { reportQuery } from './queries';
import { reportChoiceOf } from './report-choice';

export const readReport: Loader = (client, search) => [
  client.ensureQueryData(reportQuery(reportChoiceOf(search))),
];
