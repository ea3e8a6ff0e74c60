import '@/ui/tokens.css';
import '@/ui/base.css';
import '@/app/shell.css';
import i18next from 'i18next';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { onCallError } from '@/api/call';
import { cachedConfig } from '@/api/queries/cached-config';
import { App } from '@/app/App';
import { reportCallError } from '@/app/error-effects';
import { followOtherTabs } from '@/app/other-tabs';
import { reloadOnceOnMissingFiles } from '@/app/reload-once';
import { openFirstPage, prefetchConfig } from '@/app/router';
import { firstLanguage } from '@/i18n/first-language';
import { showDeviceLanguage } from '@/i18n/texts';
import { nativeShell, shellLanguages, startShell } from '@/shared/navigation/native-shell';
import { noteMissingStyles } from '@/shared/page/missing-files';
import { bearTranslation } from '@/shared/page/translated';

reloadOnceOnMissingFiles();
noteMissingStyles();
bearTranslation();

function clientLanguage() {
  const codes = shellLanguages() ?? navigator.languages;
  return firstLanguage(codes, cachedConfig()?.client_language_map ?? []);
}

/** Not inside another app, which shows these pages and manages them itself. */
function mayInstall(): boolean {
  const alone = window.parent === window && !nativeShell();
  return import.meta.env.PROD && alone && 'serviceWorker' in navigator;
}

/** The first page has priority. */
const quiet = 3000;

function install() {
  import('@/installed/register').then(({ install }) => install()).catch(() => {});
}

async function start() {
  onCallError(reportCallError);
  startShell();
  const router = await openFirstPage(clientLanguage());
  const root = document.getElementById('root');
  if (root) {
    // A transition renders in short pieces, between which a phone reacts to its user.
    startTransition(() => createRoot(root).render(<App router={router} />));
  }

  // Before anything that waits for the server.
  followOtherTabs();
  await prefetchConfig();
  // On the very first visit, the server's configuration arrives after the first page. If the texts
  // cannot be loaded, the page stays as it is.
  await showDeviceLanguage(clientLanguage()).catch(() => {});
  i18next.on('languageChanged', () => void prefetchConfig());
  if (mayInstall()) setTimeout(install, quiet);
}

/** This is a task of its own, so that a phone can react to its user before it. */
setTimeout(start);
