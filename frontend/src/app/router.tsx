import { type ComponentType, lazy, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { loadAllTexts } from '@/i18n/texts';
import { Layout } from './Layout';
import { PageBoundary } from './PageBoundary';
import { type Route as AppRoute, routes } from './routes';

/*
 * Plain route elements, not the data router: its loaders and actions, which nothing here uses,
 * would add 16 KB to what a phone loads before the first login.
 */
function lazily(load: () => Promise<ComponentType>) {
  return lazy(async () => ({ default: await load() }));
}

const SignedIn = lazily(async () => (await import('./SignedIn')).SignedIn);
const NotFound = lazily(
  async () => (await import('@/features/not-found/NotFoundPage')).NotFoundPage,
);
const pages = routes.map((route) => ({
  route,
  Page: lazily(route.needsLogin ? () => withTexts(route.load) : route.load),
}));

async function withTexts(load: AppRoute['load']) {
  const [page] = await Promise.all([load(), loadAllTexts()]);
  return page;
}

function page({ route, Page }: { route: AppRoute; Page: ComponentType }) {
  return <Route key={route.path} path={route.path} element={<Page />} />;
}

export function AppRoutes() {
  return (
    <PageBoundary>
      <Suspense>
        <Routes>
          <Route path="/" element={<Navigate to="/login" replace />} />
          <Route element={<Layout />}>
            {pages.filter(({ route }) => !route.needsLogin).map(page)}
            <Route element={<SignedIn />}>
              {pages.filter(({ route }) => route.needsLogin).map(page)}
            </Route>
          </Route>
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </PageBoundary>
  );
}
