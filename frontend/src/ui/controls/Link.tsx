import type { MouseEvent, ReactNode } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import type { Place } from '@/pages';

type Props = {
  to: Place;
  replace?: boolean;
  className?: string;
  'aria-current'?: 'page' | 'true' | undefined;
  /** The id of the element beside it that names the link. */
  'aria-labelledby'?: string;
  /** May prevent the default, to navigate in another way; the router then ignores the press. */
  onClick?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
  children?: ReactNode;
};

/**
 * Leads to another page. It is made of the router's hooks, as the router's own link brings along
 * 3 KB for prefetching and data routes, which nothing here has.
 */
export function Link({ to, replace = false, onClick, children, ...rest }: Props) {
  const href = useHref(to);
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, { replace });
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!event.defaultPrevented) follow(event);
  };
  return (
    <a href={href} onClick={press} {...rest}>
      {children}
    </a>
  );
}
