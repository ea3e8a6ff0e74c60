import { call } from '@/api/call';
import { session, useSession } from '@/api/session';
import type { BasicConfig, Currency } from '@/api/types';
import type { AppLanguage } from '@/i18n/languages';
import { currentLanguage } from '@/i18n/texts';

const unknownCurrency: Currency = { code: 'USD', decimals: 2, symbol: '$' };

export const configPath = (lang: AppLanguage) => `/basic_config?lang=${lang}`;

/** Contacts and texts in it are in the asked language, so it is read again when that changes. */
export async function fetchBasicConfig() {
  try {
    const path = configPath(currentLanguage());
    session.setConfig(await call<BasicConfig>('GET', path, { inline: ['all'] }));
  } catch {
    // The stored one still serves; every page has its own way to say that nothing can be reached.
  }
}

export function useCurrency(): Currency {
  return useSession().config?.currency ?? unknownCurrency;
}
