import { useEffect, useLayoutEffect, useRef } from 'react';
import { type Location, useLocation, useNavigationType } from 'react-router-dom';
import { createKept } from '@/shared/forms/kept';
import { findOpened, type Opened, openedBy, returnTo } from './return-to';

type Place = { top: number; opened?: Opened | undefined };

/** By entry of the history: the same page may be there twice, each time elsewhere. */
const places = createKept<Place>();

const entryOf = ({ key, pathname }: Location) => `${key} ${pathname}`;

/**
 * Who goes back finds the page as it was left: as far down, with the focus on what was opened. A
 * page that is new begins at its top. The browser's own memory knows no page that is drawn later,
 * and the router's restores no focus.
 */
export function usePlace() {
  const location = useLocation();
  const came = useNavigationType();
  const shown = useRef<Location | null>(null);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = location;
    const place = places.get(entryOf(location));
    if (came === 'POP') return place && returnTo(place.top, () => findOpened(place.opened));
    // A page that only changes its address, as a tab does, stays where it is.
    if (came === 'REPLACE' && before?.pathname === location.pathname) {
      places.set(entryOf(location), { top: window.scrollY });
      return;
    }
    window.scrollTo(0, 0);
  }, [location, came]);

  useEffect(() => {
    const keep = (change: Partial<Place>) => {
      if (!shown.current) return;
      const entry = entryOf(shown.current);
      places.set(entry, { top: window.scrollY, opened: places.get(entry)?.opened, ...change });
    };
    const onScroll = () => keep({});
    const onClick = ({ target }: MouseEvent) => {
      const opened = openedBy(target);
      if (opened !== null) keep({ opened });
    };
    window.history.scrollRestoration = 'manual';
    window.addEventListener('scroll', onScroll, { passive: true });
    document.addEventListener('click', onClick, { capture: true });
    return () => {
      window.removeEventListener('scroll', onScroll);
      document.removeEventListener('click', onClick, { capture: true });
    };
  }, []);
}
