import { createHashRouter, Navigate, type RouteObject } from 'react-router-dom';
import { Layout } from './Layout';
import { PageFailed } from './PageFailed';
import { type Route, routes } from './routes';

function page(route: Route): RouteObject {
  return {
    path: route.path,
    handle: route,
    lazy: async () => ({ Component: await route.load() }),
    ErrorBoundary: PageFailed,
  };
}

export const routeObjects: RouteObject[] = [
  { path: '/', element: <Navigate to="/login" replace /> },
  {
    element: <Layout />,
    HydrateFallback: () => null,
    children: [
      ...routes.filter((route) => !route.needsLogin).map(page),
      {
        lazy: async () => ({ Component: (await import('./SignedIn')).SignedIn }),
        children: routes.filter((route) => route.needsLogin).map(page),
      },
    ],
  },
  {
    path: '*',
    lazy: async () => ({
      Component: (await import('@/features/not-found/NotFoundPage')).NotFoundPage,
    }),
  },
];

export function createRouter() {
  return createHashRouter(routeObjects);
}
