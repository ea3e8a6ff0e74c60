import '@/ui/tokens.css';
import '@/ui/base.css';
import '@/app/shell.css';
import i18next from 'i18next';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { onCallError } from '@/api/call';
import { session } from '@/api/session';
import { fetchBasicConfig } from '@/app/basic-config';
import { errorReporter } from '@/app/error-effects';
import { nativeShell } from '@/app/native-shell';
import { reloadOnceOnMissingFiles } from '@/app/reload-once';
import { createRouter } from '@/app/router';
import { firstLanguage } from '@/i18n/first-language';
import { showLanguage, startTexts, storedLanguage } from '@/i18n/texts';

reloadOnceOnMissingFiles();

function clientLanguage() {
  const codes = nativeShell()?.languages ?? navigator.languages;
  return firstLanguage(codes, session.get().config?.client_language_map ?? []);
}

async function start() {
  const router = createRouter();
  onCallError(
    errorReporter({
      current: () => router.state.location,
      replace: (to) => router.navigate(to, { replace: true }),
    }),
  );
  await startTexts(clientLanguage());
  const root = document.getElementById('root');
  if (root) createRoot(root).render(<RouterProvider router={router} />);

  await fetchBasicConfig();
  // On the very first visit the server's map arrives after the first page.
  if (!storedLanguage()) await showLanguage(clientLanguage());
  i18next.on('languageChanged', () => void fetchBasicConfig());
  window.addEventListener('storage', () => session.reload());
}

void start();
