import { type ComponentType, lazy, Suspense } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { loadAllTexts } from '@/i18n/texts';
import { Layout, loadTabBar } from './Layout';
import { PageBoundary } from './PageBoundary';
import { type Route, routeAt, routes } from './routes';

/*
 * The router's hooks, not its <Routes>: every path is a fixed one, so there is nothing to match,
 * and neither matching nor data routes weigh on what a phone loads before the first login.
 */
function lazily<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await load() }));
}

const SignedIn = lazily(async () => (await import('./SignedIn')).openSignedIn());
const NotFound = lazily(
  async () => (await import('@/features/not-found/NotFoundPage')).NotFoundPage,
);
const pages = new Map(
  routes.map((route) => [
    route,
    lazily(route.needsLogin ? () => withTexts(route.load) : route.load),
  ]),
);

async function withTexts(load: Route['load']) {
  const [page] = await Promise.all([load(), loadAllTexts(), loadTabBar()]);
  return page;
}

export function AppRoutes() {
  return (
    <PageBoundary>
      <Suspense>
        <Addressed />
      </Suspense>
    </PageBoundary>
  );
}

function Addressed() {
  const { pathname } = useLocation();
  const route = routeAt(pathname);
  const Page = route && pages.get(route);
  if (pathname === '/') return <Navigate to="/login" replace />;
  if (!Page) return <NotFound />;
  return (
    <Layout route={route}>
      {route.needsLogin ? (
        <SignedIn>
          <Page />
        </SignedIn>
      ) : (
        <Page />
      )}
    </Layout>
  );
}
