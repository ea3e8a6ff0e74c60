import { useLayoutEffect } from 'react';
import { navigate } from './place';

type Props = { to: string; from?: string | null };

/** Leads on, in the place of the page that was asked for. */
export function Redirect({ to, from = null }: Props) {
  useLayoutEffect(() => navigate(to, { replace: true, from }), [to, from]);
  return null;
}
