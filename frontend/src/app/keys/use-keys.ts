import { useEffect, useRef } from 'react';
import { HOME } from '@/app/routes';
import type { Page } from '@/pages';
import { askForChoosing } from '@/shared/products/use-choosing';
import { hasLayer } from '@/ui/layers/layers';
import { keysOn } from './keys-on';
import { pressedKey } from './pressed-key';

/** In milliseconds: a page that takes longer is no longer waited for. */
const patience = 3000;
/** By then the page has moved the focus to its heading. */
const settled = 100;

type Ways = {
  /** Whether keys are offered at all. */
  offered: boolean;
  pathname: string;
  goTo: (page: Page) => void;
  onHelp: () => void;
};

/** `/` searches the plans, `n` starts one, `?` says so; not while a layer lies over the page. */
export function useKeys(ways: Ways) {
  const latest = useRef(ways);
  latest.current = ways;
  const { offered } = ways;
  useEffect(() => {
    if (!offered) return;
    const onKey = (event: KeyboardEvent) => {
      const key = keysOn.get() && !hasLayer() ? pressedKey(event) : null;
      if (!key) return;
      // The letter is not typed into what has the focus next.
      event.preventDefault();
      act[key](latest.current);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [offered]);
}

const act = {
  '/': ({ pathname, goTo }: Ways) => {
    if (pathname === '/plan' && focusSearch()) return;
    goTo('/plan');
    whenThere(() => theSearch() !== null, focusSearch);
  },
  n: ({ pathname, goTo }: Ways) => {
    askForChoosing();
    // Both have the sheet of products.
    if (pathname !== '/plan' && pathname !== HOME) goTo('/plan');
  },
  '?': ({ onHelp }: Ways) => onHelp(),
};

function theSearch() {
  return document.querySelector<HTMLInputElement>('main [role="search"] input');
}

function focusSearch(): boolean {
  const input = theSearch();
  input?.focus();
  input?.select();
  return input !== null;
}

function whenThere(isThere: () => boolean, then: () => void) {
  const observer = new MutationObserver(() => {
    if (!isThere()) return;
    observer.disconnect();
    setTimeout(then, settled);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), patience);
}
