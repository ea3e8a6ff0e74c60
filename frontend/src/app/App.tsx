import { useEffect } from 'react';
import { RouterProvider } from 'react-router-dom';
import { Theme } from '@/ui/Theme';
import { type AppRouter, closeRouter } from './router';

export function App({ router }: { router: AppRouter }) {
  useEffect(() => () => closeRouter(router), [router]);
  return (
    <Theme>
      <RouterProvider router={router} />
    </Theme>
  );
}
