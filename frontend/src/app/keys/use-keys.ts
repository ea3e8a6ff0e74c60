import { useEffect, useRef } from 'react';
import { session } from '@/api/session';
import { HOME } from '@/app/routes';
import type { Page } from '@/pages';
import { askForChoosing } from '@/shared/products/use-choosing';
import { hasLayer } from '@/ui/layers/layers';
import { keysOn } from './keys-on';
import { pressedKey } from './pressed-key';

/** In milliseconds. If a page takes longer, the key's action is given up. */
const patience = 10_000;

/** If the user does something meanwhile, the key's action is given up as well. */
const acts = ['keydown', 'pointerdown'];

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
      act[key](latest.current, (page) => latest.current.pathname === page);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [offered]);
}

const act = {
  '/': ({ pathname, goTo }: Ways, isShown: (page: Page) => boolean) => {
    if (pathname === '/plan' && focusSearch()) return;
    goTo('/plan');
    focusWhenThere(() => isShown('/plan'));
  },
  n: ({ pathname, goTo }: Ways) => {
    askForChoosing();
    // Both pages have the sheet of products, but the ad center only with an ad account.
    const atHome = pathname === HOME && session.get().user?.store_opened;
    if (pathname !== '/plan' && !atHome) goTo('/plan');
  },
  '?': ({ onHelp }: Ways) => onHelp(),
};

function focusSearch(): boolean {
  const input = document.querySelector<HTMLInputElement>('main [role="search"] input');
  input?.focus();
  input?.select();
  return input !== null;
}

/** The page has yet to load, and gives the focus to its heading first. */
function focusWhenThere(isShown: () => boolean) {
  const attempt = () => {
    if (isShown() && document.activeElement?.matches('body, h1')) focusSearch();
  };
  const observer = new MutationObserver(attempt);
  const stop = () => {
    observer.disconnect();
    document.removeEventListener('focusin', attempt);
    for (const act of acts) document.removeEventListener(act, stop);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', attempt);
  for (const act of acts) document.addEventListener(act, stop);
  setTimeout(stop, patience);
}
