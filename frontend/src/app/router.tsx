import { type ComponentType, lazy, Suspense } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { readAhead } from '@/api/call';
import { session } from '@/api/session';
import { Layout, loadTabBar } from '@/app/frame/Layout';
import type { AppLanguage } from '@/i18n/languages';
import { loadAllTexts, startTexts, wantAllTexts } from '@/i18n/texts';
import { configPath } from '@/shared/config/basic-config';
import { firstQuestions } from './first-questions';
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

const SignedIn = lazily(async () => (await import('@/app/signed-in/SignedIn')).openSignedIn());
const NotFound = lazy(async () => ({
  default: (await import('./NotFoundPage')).NotFoundPage,
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

type Place = { pathname: string; search: string };

/**
 * What the first page needs, beside the texts and not after them. React shows at once what is
 * there when it begins; what comes a moment later it holds back for 300 ms.
 */
export async function openFirstPage(
  { pathname, search }: Place,
  lang: AppLanguage,
  start = startTexts,
) {
  const route = routeAt(pathname === '/' ? '/login' : pathname);
  const closed = route?.needsLogin && session.get().token !== null;
  if (closed) wantAllTexts();
  const code = [
    route?.load(),
    ...(closed ? [import('@/app/signed-in/SignedIn'), loadTabBar()] : []),
  ];
  const texts = start(lang);
  const asked = closed && askFirst(search ? '' : pathname, lang);
  await Promise.all([texts, asked, Promise.allSettled(code)]);
  // Texts are loaded for the language that is shown by now.
  await Promise.allSettled([route && pages.get(route)?.get(), closed && SignedIn.get()]);
  if (closed && !search) await readFirst(route).catch(() => {});
}

/** In a task of its own: a phone takes 80 ms to find its time zone, which shall not hold back the code. */
async function askFirst(path: string, lang: AppLanguage) {
  await new Promise((resolve) => setTimeout(resolve));
  readAhead([...firstQuestions(path), configPath(lang)], lang);
}

/** In milliseconds. */
const unnoticed = 50;

/** Figures that are there by now are drawn with the page; it does not wait for others. */
async function readFirst(route: Route) {
  const [page, frame] = await Promise.all([route.load(), import('@/app/signed-in/SignedIn')]);
  await Promise.race([frame.read(page), new Promise((resolve) => setTimeout(resolve, unnoticed))]);
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
        <Account openToBarred={route.path === '/customer'}>
          <Page />
        </Account>
      ) : (
        <Page />
      )}
    </Layout>
  );
}
