import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Names the page in the browser's tab and history, and to a screen reader that arrives there. */
export function usePageName(name: string | null) {
  const { t } = useTranslation();
  const app = t('app.name');
  useEffect(() => {
    document.title = name ? `${name} – ${app}` : app;
  }, [name, app]);
}
