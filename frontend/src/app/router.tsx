import { type ComponentType, lazy, Suspense } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { loadAllTexts, wantAllTexts } from '@/i18n/texts';
import { Layout, loadTabBar } from './Layout';
import { PageBoundary } from './PageBoundary';
import { type Route, routeAt, routes } from './routes';

/*
 * The router's hooks, not its <Routes>: every path is a fixed one, so there is nothing to match,
 * and neither matching nor data routes weigh on what a phone loads before the first login.
 */
function lazily<P>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined;
  let shown: ComponentType<P> | undefined;
  const get = async () => {
    loaded ??= await load();
    return loaded;
  };
  const Lazy = lazy(async () => ({ default: await get() }));
  return {
    get,
    /** Ever the same, once shown: another one would begin anew. */
    shown: () => {
      shown ??= loaded ?? Lazy;
      return shown;
    },
  };
}

const SignedIn = lazily(async () => (await import('./SignedIn')).openSignedIn());
const NotFound = lazy(async () => ({
  default: (await import('@/features/not-found/NotFoundPage')).NotFoundPage,
}));
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

/**
 * What the first page needs, beside the texts and not after them. React shows at once what is
 * there when it begins; what comes a moment later it holds back for 300 ms.
 */
export async function openFirstPage(pathname: string, startTexts: () => Promise<void>) {
  const route = routeAt(pathname === '/' ? '/login' : pathname);
  const closed = route?.needsLogin;
  if (closed) wantAllTexts();
  const code = [route?.load(), ...(closed ? [import('./SignedIn'), loadTabBar()] : [])];
  await Promise.all([startTexts(), Promise.allSettled(code)]);
  // Texts are loaded for the language that is shown by now.
  await Promise.allSettled([route && pages.get(route)?.get(), closed && SignedIn.get()]);
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
  const Page = route && pages.get(route)?.shown();
  if (pathname === '/') return <Navigate to="/login" replace />;
  if (!Page) return <NotFound />;
  const Account = SignedIn.shown();
  return (
    <Layout route={route}>
      {route.needsLogin ? (
        <Account>
          <Page />
        </Account>
      ) : (
        <Page />
      )}
    </Layout>
  );
}
