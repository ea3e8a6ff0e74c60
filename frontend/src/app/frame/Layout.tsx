import { type ReactNode, Suspense, useEffect, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { useCachedConfig } from '@/api/queries/cached-config';
import { useSession } from '@/api/session';
import { addressedRule, followBack } from '@/app/history/back';
import { isPreviousPage, noteEntry, putHomeBelow } from '@/app/history/entries';
import { closeLayersOnBack, noteStep } from '@/app/history/layer-history';
import { useReturnPath } from '@/app/history/use-return-path';
import { HOME, type Route, routeName } from '@/app/routes';
import { useReadOnly } from '@/shared/account/read-only';
import { unread } from '@/shared/account/unread';
import { useAccountDialogs } from '@/shared/account/use-account-dialogs';
import { nativeBackEvent, nativeShell } from '@/shared/navigation/native-shell';
import { customBack, hasPreviousPage } from '@/shared/navigation/page-back';
import { Navigate, useNavigate } from '@/shared/navigation/use-navigate';
import { OnDemand } from '@/shared/page/OnDemand';
import { closeCustomerService, useCustomerServiceRequest } from '@/shared/service/customer-service';
import { ToastProvider } from '@/ui/feedback/ToastProvider';
import { closeTopLayer } from '@/ui/layers/layers';
import styles from './Layout.module.css';
import { TopBar } from './TopBar';
import { useHeadingFocus } from './use-heading-focus';
import { usePageName } from './use-page-name';

const loadService = async () => (await import('./CustomerServiceDialog')).CustomerServiceDialog;

const bellPath = '/notification';

type Props = { route: Route; tabs: ReactNode; children: ReactNode };

export function Layout({ route, tabs, children }: Props) {
  const { t } = useTranslation();
  const location = useLocation();
  const { pathname, search } = location;
  const navigate = useNavigate();
  const { token, user, signInPath, left } = useSession();
  const config = useCachedConfig();
  const readOnly = useReadOnly();
  const returnPath = useReturnPath();
  const service = useCustomerServiceRequest();
  const dialogs = useAccountDialogs();

  const back = () =>
    followBack({
      closeLayer: closeTopLayer,
      custom: customBack(),
      rule: addressedRule(),
      hasPrevious: hasPreviousPage(),
      closeNative: nativeShell()?.close ?? null,
      goTo: (path) => (isPreviousPage(path) ? navigate(-1) : navigate(path, { replace: true })),
      goBack: () => navigate(-1),
    });
  // A layout effect, so that Back works as soon as the page is visible.
  useLayoutEffect(() => {
    window.addEventListener(nativeBackEvent, back);
    return () => window.removeEventListener(nativeBackEvent, back);
  });

  usePageName(route.name && t(route.name));
  useHeadingFocus(pathname);
  useEffect(closeLayersOnBack, []);
  const tab = route.tabBar && route.path !== HOME && token !== null;
  // This runs with every navigation, and with no other render: between a press of Back and its
  // event, the browser's position is ahead of the page's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per navigation.
  useEffect(() => {
    if (tab) putHomeBelow(HOME, route.path);
    noteEntry();
    noteStep();
  }, [location, tab]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per page.
  useEffect(() => {
    dialogs.close();
    // Pages behind the login restore their scroll position: use-scroll-restoration.ts.
    if (!route.needsLogin) window.scrollTo(0, 0);
    if (token) void unread.fetch();
  }, [pathname, token]);

  useEffect(() => {
    if (!token) return;
    // A user who comes back to the app sees at once what is new.
    const look = () => {
      if (!document.hidden) void unread.fetch();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [token]);

  if (route.needsLogin && !token) {
    // After the login, return to a page that was opened by its address, or on which the session has
    // ended, but not to one the user signed out from.
    const state = left && hasPreviousPage() ? null : { from: pathname + search };
    return <Navigate to={signInPath} replace state={state} />;
  }
  if (route.signedOutOnly && token) return <Navigate to={returnPath(user)} replace />;
  return (
    <div
      className={styles.app}
      data-page={routeName(route.path)}
      data-tabs={tabs ? route.tabBar : undefined}
      data-simulated={config?.data_source === 'simulated'}
      data-read-only={readOnly !== null}
    >
      <TopBar
        route={route}
        onBack={back}
        onLanguage={() => dialogs.open('language')}
        // On the notification page itself, the bell adds no history entry.
        onNotifications={() => navigate(bellPath, { replace: pathname === bellPath })}
        onLogout={() => dialogs.open('logout')}
      />
      <main className={styles.main} data-transparent={route.transparent}>
        {children}
      </main>
      {tabs && <Suspense>{tabs}</Suspense>}
      {dialogs.shown}
      {service && (
        <OnDemand
          load={loadService}
          onMissing={closeCustomerService}
          props={{ open: true, ...service, onClose: closeCustomerService }}
        />
      )}
      <ToastProvider />
    </div>
  );
}
