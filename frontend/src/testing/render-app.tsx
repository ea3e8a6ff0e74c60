import { render } from '@testing-library/react';
import { onCallError } from '@/api/call';
import { session } from '@/api/session';
import type { User } from '@/api/types';
import { App } from '@/app/App';
import { reportCallError } from '@/app/error-effects';
import { queryClient } from '@/app/query-client';
import { aConfig } from './data';

/** The whole app at an address, as main.tsx starts it; signed in when a user is given. */
export function renderApp(address: string, user?: User, config = aConfig) {
  queryClient.clear();
  session.setConfig(config);
  if (user) session.signIn({ token: 'token-1', user });
  onCallError(reportCallError);
  window.location.hash = `#${address}`;
  return render(<App />);
}

export function address(): string {
  return window.location.hash.slice(1);
}
