import i18next from 'i18next';
import { currencyChanged } from '@/i18n/texts';
import type { Currency } from '../types';
import { cachedConfig, onCachedConfigChange, useCachedConfig } from './cached-config';

const unknown: Currency = { code: 'USD', decimals: 2, symbol: '$' };

/** The currency of all amounts, as it is known by now. */
export function platformCurrency(): Currency {
  return cachedConfig()?.currency ?? unknown;
}

export function useCurrency(): Currency {
  useCachedConfig();
  return platformCurrency();
}

let { code } = platformCurrency();
onCachedConfigChange(() => {
  const before = code;
  code = platformCurrency().code;
  if (code !== before) i18next.emit(currencyChanged);
});
