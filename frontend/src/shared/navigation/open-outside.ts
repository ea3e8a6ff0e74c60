import type { MouseEvent } from 'react';
import { nativeShell } from './native-shell';

/** For a link with `target="_blank"`: a native shell has no tabs, so the shell opens it. */
export function openOutside(event: MouseEvent<HTMLAnchorElement>) {
  const shell = nativeShell();
  if (!shell) return;
  event.preventDefault();
  shell.open(event.currentTarget.href);
}
