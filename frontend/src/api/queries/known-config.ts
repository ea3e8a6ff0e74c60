import i18next from 'i18next';
import type { BasicConfig, Currency } from '@/api/types';
import { createStore } from '@/external-store';
import { readStored, store } from '@/stored';

/** The key is the specification's. */
const key = 'fb_basic_config';
const unknownCurrency: Currency = { code: 'USD', decimals: 2, symbol: '$' };

/** The omitted parts may be long, and may contain details that do not belong in storage. */
type KnownConfig = Omit<BasicConfig, 'withdraw_method_config' | 'faq_config'>;

const stored = () => readStored('localStorage', key) as KnownConfig | null;
const known = createStore(stored());

/** The last answer, from this visit or an earlier one, shown before the server is asked. */
export const knownConfig = known.get;
export const useKnownConfig = known.use;

/** Called only by the query in basic-config.ts. */
export function keepConfig(config: BasicConfig) {
  const { withdraw_method_config: _method, faq_config: _faq, ...kept } = config;
  store('localStorage', key, kept);
  know(kept);
}

/** Reads storage again: another tab may have fetched it meanwhile. */
export function reloadConfig() {
  know(stored());
}

/** What is drawn with texts is drawn again then, as it may have amounts in it. */
export const currencyChanged = 'currencyChanged';

function know(config: KnownConfig | null) {
  const before = platformCurrency();
  known.set(config);
  const now = platformCurrency();
  if (now.code !== before.code || now.decimals !== before.decimals) i18next.emit(currencyChanged);
}

/** The currency of all amounts, as it is known by now. */
export function platformCurrency(): Currency {
  return known.get()?.currency ?? unknownCurrency;
}

export function useCurrency(): Currency {
  useKnownConfig();
  return platformCurrency();
}
