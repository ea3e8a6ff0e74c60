import type { MouseEvent, ReactNode } from 'react';
import { navigate } from './place';

type Props = {
  to: string;
  replace?: boolean;
  className?: string;
  'aria-current'?: 'page' | undefined;
  children: ReactNode;
};

/** A real link: whoever wants a tab of its own for the page, or its address, gets it. */
export function Link({ to, replace = false, children, ...rest }: Props) {
  const follow = (event: MouseEvent) => {
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (elsewhere || event.button !== 0) return;
    event.preventDefault();
    navigate(to, { replace });
  };
  return (
    <a href={`#${to}`} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
