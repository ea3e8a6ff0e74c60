import { type ComponentType, lazy, Suspense } from 'react';
import {
  createHashRouter,
  type LoaderFunction,
  Outlet,
  type RouteObject,
  useLocation,
} from 'react-router-dom';
import { cachedConfig } from '@/api/queries/cached-config';
import { session } from '@/api/session';
import { zoneName } from '@/api/time-zone';
import type { AppLanguage } from '@/i18n/languages';
import { loadAllTexts, startTexts, wantAllTexts } from '@/i18n/texts';
import { currentPlace, navigateBy } from '@/shared/navigation/navigation';
import { Navigate } from '@/shared/navigation/use-navigate';
import { Layout } from './frame/Layout';
import { PageFailed } from './PageFailed';
import { preloadable } from './preloadable';
import { type Route, routeAt, routes } from './routes';

const loadData = () => import('./data');

export type AppRouter = ReturnType<typeof createHashRouter>;

const SignedIn = preloadable(async () => (await import('@/app/signed-in/SignedIn')).openSignedIn());
/**
 * The bar is at the bottom of some pages behind the login, or at the side of all. Its code loads
 * only there.
 */
const TabBar = preloadable(async () => (await import('./frame/TabBar')).TabBar);
const NotFound = lazy(async () => ({ default: (await import('./NotFoundPage')).NotFoundPage }));
const pages = new Map(routes.map((route) => [route, preloadable(() => componentOf(route))]));

async function componentOf({ load, allTexts }: Route) {
  const [file] = await Promise.all([load(), allTexts && loadAllTexts()]);
  return Object.values(file)[0] as ComponentType;
}

export function createAppRouter(): AppRouter {
  const router = createHashRouter([
    {
      element: <Root />,
      errorElement: <PageFailed />,
      // Draws nothing: index.html's placeholder stays until the first page is drawn.
      hydrateFallbackElement: <></>,
      children: [
        { path: '/', element: <Navigate to="/login" replace /> },
        ...routes.map(routeObject),
        { path: '*', element: <NotFound /> },
      ],
    },
  ]);
  navigateBy(router.navigate);
  return router;
}

export function closeRouter(router: AppRouter) {
  router.dispose();
  navigateBy(null);
}

function routeObject(route: Route): RouteObject {
  return {
    path: route.path,
    caseSensitive: true,
    element: <Shown route={route} />,
    // Within the frame, so that the tabs stay.
    errorElement: <PageFailed />,
    // Without a loader the router navigates at once, so that a signed-out user leaves the page
    // immediately.
    ...(route.needsLogin && { loader: loaderOf(route) }),
  };
}

/** Starts loading code and data, and waits for neither: pages show placeholders and errors. */
function loaderOf(route: Route): LoaderFunction {
  return ({ request }) => {
    void preload(route);
    void prefetch(route, new URL(request.url).searchParams);
    return null;
  };
}

/** The page shows errors when it is drawn. */
function preload(route: Route) {
  const around = isOpen(route) ? [SignedIn.preload(), TabBar.preload()] : [];
  const parts = [pages.get(route)?.preload(), ...around];
  return Promise.allSettled(parts);
}

async function prefetch(route: Route, search: URLSearchParams) {
  const data = isOpen(route) && (await loadData().catch(() => null));
  // The user may have signed out meanwhile.
  if (data && isOpen(route)) await data.prefetch(route, search);
}

/** Its contacts and texts are in the app's language. */
export async function prefetchConfig() {
  const data = await loadData().catch(() => null);
  await data?.prefetchConfig();
}

/** Whether the user sees this page rather than the login. */
function isOpen(route: Route): boolean {
  return route.needsLogin && session.get().token !== null;
}

/** The time in milliseconds that nobody notices. */
const unnoticed = 50;

/** The longest wait in milliseconds for the configuration. */
const patience = 3000;

const passed = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Creates the router once the first page and the texts are loaded. React shows at once what is
 * ready when it starts, but may hold back later content for 300 ms. Data that arrives in time is
 * drawn with the page, which does not wait for the rest.
 */
export async function openFirstPage(lang: AppLanguage, start = startTexts): Promise<AppRouter> {
  const { pathname, search } = currentPlace();
  const route = routeAt(pathname === '/' ? '/login' : pathname);
  const open = route && isOpen(route);
  if (open) wantAllTexts();
  const texts = start(lang);
  const page = route && preload(route);
  const data = open && prefetch(route, new URLSearchParams(search));
  const config = open && prefetchConfig();
  // Other visits know from an earlier one whether the figures are simulated. The first one waits, so
  // that no figure is seen without the notice that says so, and the notice moves nothing.
  const known = config && !cachedConfig() && Promise.race([config, passed(patience)]);
  // Making the router takes long enough: what it waits for is under way, and a phone reacts before it.
  await nextTask();
  const router = createAppRouter();
  // The first use of Intl takes 20 ms: a task of its own, while the files are under way, rather than
  // before the page's first request.
  await nextTask();
  zoneName();
  await Promise.all([texts, page, loadersBegun(router), known]);
  await Promise.race([data, passed(unnoticed)]);
  return router;
}

function nextTask() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Resolves once the router has begun its loaders, before which it draws nothing. */
function loadersBegun(router: AppRouter) {
  return new Promise<void>((resolve) => {
    if (router.state.initialized) return resolve();
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}

function Root() {
  const route = routeAt(useLocation().pathname);
  const Tabs = route?.needsLogin ? TabBar.component() : null;
  return (
    <Suspense>
      {route ? (
        <Layout route={route} tabs={Tabs && <Tabs />}>
          <Outlet />
        </Layout>
      ) : (
        <Outlet />
      )}
    </Suspense>
  );
}

function Shown({ route }: { route: Route }) {
  const Page = pages.get(route)?.component();
  if (!Page) return null;
  if (!route.needsLogin) return <Page />;
  const Account = SignedIn.component();
  return (
    <Account openToBarred={route.path === '/customer'}>
      <Page />
    </Account>
  );
}
