import type { QueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { currentLanguage } from '@/i18n/texts';

/** Texts from the server are in the language of the page that asks, and asked for again in another one. */
export function refetchOnLanguageChange(client: QueryClient) {
  let lang = currentLanguage();
  const note = () => {
    if (currentLanguage() === lang) return;
    lang = currentLanguage();
    // What is still asked for the first time would be taken as it comes: in the language of before.
    void client.cancelQueries({ predicate: ({ state }) => state.data === undefined });
    void client.invalidateQueries();
  };
  i18next.on('languageChanged', note);
  return () => i18next.off('languageChanged', note);
}
