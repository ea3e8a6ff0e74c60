import type { BasicConfig, Currency } from '@/api/types';
import { createStore } from '@/external-store';

/** The key is the specification's. */
const key = 'fb_basic_config';
const unknownCurrency: Currency = { code: 'USD', decimals: 2, symbol: '$' };

/** The omitted parts may be long, and may contain details that do not belong in storage. */
type KnownConfig = Omit<BasicConfig, 'withdraw_method_config' | 'faq_config'>;

function stored(): KnownConfig | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as KnownConfig | null;
  } catch {
    return null;
  }
}

const known = createStore(stored());

/** The last answer, from this visit or an earlier one, shown before the server is asked. */
export const knownConfig = known.get;
export const useKnownConfig = known.use;

/** Called only by the query in basic-config.ts. */
export function keepConfig(config: BasicConfig) {
  const { withdraw_method_config: _method, faq_config: _faq, ...kept } = config;
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // Private windows may refuse storage; it is then known as long as the page is open.
  }
  known.set(kept);
}

/** Reads storage again: another tab may have fetched it meanwhile. */
export function reloadConfig() {
  known.set(stored());
}

export function useCurrency(): Currency {
  return useKnownConfig()?.currency ?? unknownCurrency;
}
