import type { ReactNode } from 'react';
import { ErrorState } from './ErrorState';

/** The part of react-query's queries that is needed. */
type Asked = { isPending: boolean; isError: boolean; isFetching: boolean; refetch: () => unknown };

type Props = {
  of: Asked | readonly Asked[];
  /** What stands there until all of it is answered, or failed. */
  meanwhile?: ReactNode;
  message?: string | undefined;
};

/** In place of what could not be read, which asks again for what of it failed. */
export function Unanswered({ of, meanwhile, message }: Props) {
  const queries = [of].flat();
  if (meanwhile && queries.some(({ isPending }) => isPending)) return meanwhile;
  const retry = () => {
    for (const query of queries) if (query.isError) void query.refetch();
  };
  const retrying = queries.some(({ isFetching }) => isFetching);
  return <ErrorState message={message} onRetry={retry} retrying={retrying} />;
}
