import { type NavigateFunction, parsePath } from 'react-router-dom';
import type { Place } from '@/pages';

let navigate: NavigateFunction | null = null;

/** The address in the hash, as the router sees it. */
export function currentPlace(): { pathname: string; search: '' | `?${string}` } {
  const { pathname = '/', search = '' } = parsePath(window.location.hash.slice(1));
  const rooted = pathname.startsWith('/') ? pathname : `/${pathname}`;
  return { pathname: rooted, search: search as '' | `?${string}` };
}

/** Replaces the page from code outside React, such as the effects of API errors. */
export function replacePage(to: Place, state?: { from: string }) {
  if (navigate) void navigate(to, { replace: true, state });
  else window.location.replace(`#${to}`);
}

/** Sets the router's own navigation, while there is a router. */
export function navigateBy(own: NavigateFunction | null) {
  navigate = own;
}
