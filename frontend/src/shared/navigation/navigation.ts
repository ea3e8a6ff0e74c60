import type { NavigateFunction } from 'react-router-dom';

let navigate: NavigateFunction | null = null;

/** The address in the hash, as the router sees it. */
export function currentPlace(): { pathname: string; search: string } {
  const { pathname, search } = new URL(window.location.hash.slice(1) || '/', 'https://hash');
  return { pathname, search };
}

/** For code outside React, such as what an error of the API does. */
export function replacePage(to: string, state?: { from: string }) {
  if (navigate) void navigate(to, { replace: true, state });
  else window.location.replace(`#${to}`);
}

/** The router says how, as long as there is one. */
export function navigateBy(own: NavigateFunction | null) {
  navigate = own;
}
