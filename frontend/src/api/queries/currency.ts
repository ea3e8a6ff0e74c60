import i18next from 'i18next';
import { currencyChanged } from '@/i18n/texts';
import type { Currency } from '../types';
import { knownConfig, onKnownConfig, useKnownConfig } from './known-config';

const unknown: Currency = { code: 'USD', decimals: 2, symbol: '$' };

/** The currency of all amounts, as it is known by now. */
export function platformCurrency(): Currency {
  return knownConfig()?.currency ?? unknown;
}

export function useCurrency(): Currency {
  useKnownConfig();
  return platformCurrency();
}

let { code } = platformCurrency();
onKnownConfig(() => {
  const before = code;
  code = platformCurrency().code;
  if (code !== before) i18next.emit(currencyChanged);
});
