import type { ReactNode } from 'react';
import { isHeldBack, isTooOften } from '@/api/errors';
import { ErrorState } from './ErrorState';

/** The part of react-query's queries that is needed. */
type Asked = {
  isPending: boolean;
  isError: boolean;
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
};

type Props = {
  of: Asked | readonly Asked[];
  /** Shown until all queries have succeeded or failed. */
  meanwhile?: ReactNode;
  message?: string | undefined;
};

/** Replaces data that could not be loaded, with a button that fetches the failed queries again. */
export function Unanswered({ of, meanwhile, message }: Props) {
  const queries = [of].flat();
  if (meanwhile && queries.some(({ isPending }) => isPending)) return meanwhile;
  const retry = () => {
    for (const query of queries) if (query.isError) void query.refetch();
  };
  const retrying = queries.some(({ isFetching }) => isFetching);
  const errors = queries.map(({ error }) => error);
  const error = errors.find((one) => isHeldBack(one) || isTooOften(one));
  return <ErrorState message={message} error={error} onRetry={retry} retrying={retrying} />;
}
