import type { Query, QueryClient } from '@tanstack/react-query';
import { clear, createStore, get, set } from 'idb-keyval';
import type { QueryName } from '@/api/queries/keys';
import { session } from '@/api/session';
import { isUnreachable } from './lost-figures';

/** The last known answer to a query, and its time. */
type Figure = { data: unknown; at: number };
type Kept = { api: string; figures: Record<string, Figure> };

/** Overview, wallet and the list of plans, which are useful on the move. Nothing else is stored. */
const kept: (QueryName | `${QueryName}/${string}`)[] = ['statistics', 'property', 'plans/list'];
const days = 86_400_000;
const keptFor = 7 * days;
const pause = 1000;
/**
 * In milliseconds. Some browsers' storage sometimes does not answer, and the page must not wait for
 * it.
 */
const patience = 1000;

const isKept = ({ queryKey: [first, second] }: Query) =>
  kept.includes(first) || kept.includes(`${first}/${second}`);

let opened: ReturnType<typeof createStore> | null = null;
export const figureStore = () => {
  opened ??= createStore('placard-figures', 'figures');
  return opened;
};

/**
 * Stores the last figures of the signed-in user on this device, and shows them if the server cannot
 * be reached. A stored figure never replaces one that can be fetched: it appears only after the
 * request has failed, and the page then says how old it is.
 */
export async function persistFigures(client: QueryClient) {
  let figures: Kept['figures'] = {};
  let owner = session.get().user?.id;
  const reader = owner;
  const reading = read().then((found) => {
    // Figures that were fetched meanwhile are newer. Another account's figures must not be shown.
    if (owner === reader) figures = { ...found, ...figures };
  });
  let timer: ReturnType<typeof setTimeout> | undefined;

  const write = async () => {
    timer = undefined;
    await reading;
    const { token, user } = session.get();
    if (token && user)
      attempt(() => set(user.id, { api: __API__, figures } satisfies Kept, figureStore()));
  };
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || !isKept(event.query)) return;
    const { query, action } = event;
    if (action.type === 'success') {
      const { data, dataUpdatedAt: at } = query.state;
      figures = { ...figures, [query.queryHash]: { data, at } };
      timer ??= setTimeout(write, pause);
    }
    if (action.type === 'failed' || action.type === 'error') {
      const { error } = action;
      void reading.then(() => showLast(query, error, figures[query.queryHash]));
    }
  });

  session.subscribe(() => {
    const { token, user } = session.get();
    if (token && user?.id === owner) return;
    owner = token ? user?.id : undefined;
    clearTimeout(timer);
    timer = undefined;
    figures = {};
    attempt(() => clear(figureStore()));
  });
  await Promise.race([reading, new Promise((late) => setTimeout(late, patience))]);
}

/** Sets the query's state as if it had succeeded then, and failed now. */
function showLast(query: Query, error: unknown, last: Figure | undefined) {
  if (!last || query.state.data !== undefined || !isUnreachable(error)) return;
  query.setState({
    ...query.state,
    data: last.data,
    dataUpdatedAt: last.at,
    status: 'error',
    error: error as Error,
  });
}

async function read(): Promise<Record<string, Figure>> {
  const { token, user } = session.get();
  if (!token || !user) return {};
  const found = await attempt(() => get<Kept>(user.id, figureStore()));
  // Another release may use the same names for other data.
  if (found?.api !== __API__) return {};
  const since = Date.now() - keptFor;
  return Object.fromEntries(Object.entries(found.figures).filter(([, { at }]) => at > since));
}

/** Without storage, as in a private window, nothing is stored. */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
