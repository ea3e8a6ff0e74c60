import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';

/*
 * Where the app is. Every address is one of a fixed list behind the "#", so nothing is left to
 * match, and a router library would be an eighth of what a phone loads before the first login.
 */

export type Place = {
  pathname: string;
  search: string;
  /** The page that a login is asked for by, to come back to. */
  from: string | null;
};

type Move = { replace?: boolean; from?: string | null };

/** The address in the hash as it is now, even while its page is still on the way. */
export function currentPlace(): Place {
  const { pathname, search } = new URL(window.location.hash.slice(1) || '/', 'https://hash');
  return { pathname, search, from: window.history.state?.from ?? null };
}

/** The entries made here are numbered: the first page of the app is 0. */
function entryNumber(): number {
  return window.history.state?.idx ?? 0;
}

export function hasPreviousPage(): boolean {
  return entryNumber() > 0;
}

let moved = () => {};

export function navigate(to: string, { replace = false, from = null }: Move = {}) {
  const address = `#${to}`;
  // A link to where one is already must not pile up history.
  if (replace || address === window.location.hash) {
    window.history.replaceState({ idx: entryNumber(), from }, '', address);
  } else {
    window.history.pushState({ idx: entryNumber() + 1, from }, '', address);
  }
  moved();
}

export function goBack() {
  window.history.back();
}

/** The same as before where nothing has changed, so that nothing is drawn again. */
function changed(before: Place): Place {
  const now = currentPlace();
  const same = Object.keys(now) as (keyof Place)[];
  return same.every((key) => now[key] === before[key]) ? before : now;
}

const Current = createContext<Place | null>(null);

/** The page before stays in view until the next one's code is there. */
export function PlaceProvider({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    const follow = () => startTransition(() => setPlace(changed));
    moved = follow;
    window.addEventListener('popstate', follow);
    // What was moved to before the first drawing was over.
    follow();
    return () => {
      if (moved === follow) moved = () => {};
      window.removeEventListener('popstate', follow);
    };
  }, []);
  return <Current value={place}>{children}</Current>;
}

export function usePlace(): Place {
  const place = useContext(Current);
  if (!place) throw new Error('no PlaceProvider around this');
  return place;
}

type SetParams = (params: Record<string, string>) => void;

/** What stands behind the "?". Setting it replaces the entry: tabs and filters are no pages. */
export function useSearchParams(): [URLSearchParams, SetParams] {
  const { pathname, search, from } = usePlace();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const set: SetParams = (next) => {
    const query = new URLSearchParams(next).toString();
    navigate(pathname + (query && `?${query}`), { replace: true, from });
  };
  return [params, set];
}
