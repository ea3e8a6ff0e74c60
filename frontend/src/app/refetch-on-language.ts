import type { QueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { currentLanguage } from '@/i18n/texts';

/** Texts from the server are in the language of the page that asks, and asked for again in another one. */
export function refetchOnLanguageChange(client: QueryClient) {
  let lang = currentLanguage();
  const note = () => {
    if (currentLanguage() === lang) return;
    lang = currentLanguage();
    // A first answer that is still under way would come in the previous language, and would not be
    // fetched again.
    void client.cancelQueries({ predicate: ({ state }) => state.data === undefined });
    void client.invalidateQueries();
  };
  i18next.on('languageChanged', note);
  return () => i18next.off('languageChanged', note);
}
