import {
  type NavigateOptions,
  type NavigateProps,
  Navigate as RouterNavigate,
  useNavigate as useRouterNavigate,
} from 'react-router-dom';
import type { Place } from '@/pages';

/** Leads to a page, or so many entries of the history back. */
type Way = {
  (to: Place, options?: NavigateOptions): void | Promise<void>;
  (delta: number): void | Promise<void>;
};

/** React Router's, for pages only: another address does not compile. */
export const useNavigate: () => Way = useRouterNavigate;
export const Navigate: (props: NavigateProps & { to: Place }) => null = RouterNavigate;
