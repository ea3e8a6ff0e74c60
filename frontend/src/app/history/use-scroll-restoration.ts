import { useEffect, useLayoutEffect, useRef } from 'react';
import { type Location, useLocation, useNavigationType } from 'react-router-dom';
import { createSessionMap } from '@/shared/forms/session-map';
import { findOpened, type Opened, openedBy, returnTo } from './return-to';

type Place = { top: number; opened?: Opened | undefined };

/** The positions by history entry, because the same page may be in the history twice. */
const places = createSessionMap<Place>();

const entryOf = ({ key, pathname }: Location) => `${key} ${pathname}`;

/**
 * Going back restores the page's scroll position, and the focus on what was opened. A new page
 * begins at its top. The browser's own restoration does not work for pages drawn later, and the
 * router's does not restore the focus.
 */
export function useScrollRestoration() {
  const location = useLocation();
  const came = useNavigationType();
  const shown = useRef<Location | null>(null);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = location;
    const place = places.get(entryOf(location));
    if (came === 'POP') return place && returnTo(place.top, () => findOpened(place.opened));
    // A page that only changes its address, like a tab, keeps its position.
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
