import { ErrorState } from './ErrorState';

/** The part of react-query's queries that is needed. */
type Asked = { isError: boolean; isFetching: boolean; refetch: () => unknown };

type Props = { of: Asked | readonly Asked[]; message?: string | undefined };

/** What could not be read, and asks again for what of it failed. */
export function QueryFailed({ of, message }: Props) {
  const queries = [of].flat();
  const retry = () => {
    for (const query of queries) if (query.isError) void query.refetch();
  };
  const retrying = queries.some(({ isFetching }) => isFetching);
  return <ErrorState message={message} onRetry={retry} retrying={retrying} />;
}
