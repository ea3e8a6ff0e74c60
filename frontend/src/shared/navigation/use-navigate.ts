import { type NavigateOptions, useNavigate as useRouterNavigate } from 'react-router-dom';
import type { Place } from '@/pages';

/** Leads to a page, or so many entries of the history back. */
type Navigate = {
  (to: Place, options?: NavigateOptions): void | Promise<void>;
  (delta: number): void | Promise<void>;
};

/** React Router's, for pages only: another address does not compile. */
export const useNavigate: () => Navigate = useRouterNavigate;
