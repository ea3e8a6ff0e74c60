import type { ReactNode } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';

type Props = {
  to: string;
  replace?: boolean;
  className?: string;
  'aria-current'?: 'page' | undefined;
  children: ReactNode;
};

/**
 * Leads to another page. It is made of the router's hooks, as the router's own link brings along
 * 3 KB for prefetching and data routes, which nothing here has.
 */
export function Link({ to, replace = false, children, ...rest }: Props) {
  const href = useHref(to);
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, { replace });
  return (
    <a href={href} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
