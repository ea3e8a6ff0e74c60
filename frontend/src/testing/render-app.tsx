// Loaded beforehand: a late request would belong to the next test.
import '@/app/data';
import { render } from '@testing-library/react';
import { onCallError } from '@/api/call';
import { cacheConfig } from '@/api/queries/cached-config';
import { queryClient } from '@/api/query-client';
import { session } from '@/api/session';
import type { User } from '@/api/types';
import { App } from '@/app/App';
import { reportCallError } from '@/app/error-effects';
import { createAppRouter } from '@/app/router';
import { aConfig } from './data';

/** The whole app at an address, as main.tsx starts it; signed in if a user is given. */
export function renderApp(address: string, user?: User, config = aConfig) {
  queryClient.clear();
  cacheConfig(config);
  if (user) session.signIn({ token: 'token-1', user });
  onCallError(reportCallError);
  window.location.hash = `#${address}`;
  return render(<App router={createAppRouter()} />);
}

export function address(): string {
  return window.location.hash.slice(1);
}
