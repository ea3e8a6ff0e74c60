import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useSearchParams } from 'react-router-dom';
import { queryClient } from '@/api/query-client';
import { LinkGone } from './LinkGone';

/** A page that a link of staff opens, without an account. */
export function LinkPage({ page: Page }: { page: ComponentType<{ link: string }> }) {
  const [search] = useSearchParams();
  const link = search.get('link');
  return (
    <QueryClientProvider client={queryClient}>
      {link ? <Page key={link} link={link} /> : <LinkGone />}
    </QueryClientProvider>
  );
}
