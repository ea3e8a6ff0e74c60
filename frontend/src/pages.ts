import type { pages } from './app/routes';

/** The pages of the app by their paths: a link to another address does not compile. */
export type Page = keyof typeof pages;

/** A page, and what it is opened with. */
export type Place = Page | `${Page}?${string}`;

export function planPath(id: string): Place {
  return `/plan/detail?id=${encodeURIComponent(id)}`;
}
