import type { BasicConfig } from '@/api/types';
import { createStore } from '@/external-store';
import { readStored, readText, store } from '@/stored';

/** The key is the specification's. */
const key = 'fb_basic_config';

/** The omitted parts may be long, and may contain details that do not belong in storage. */
type KnownConfig = Omit<BasicConfig, 'withdraw_method_config' | 'faq_config'>;

const stored = () => readStored('localStorage', key) as KnownConfig | null;
const text = () => readText('localStorage', key);
let seen = text();
const known = createStore(stored());

/** The last answer, from this visit or an earlier one, shown before the server is asked. */
export const cachedConfig = known.get;
export const useCachedConfig = known.use;
export const onCachedConfigChange = known.subscribe;

/** Called only by the query in basic-config.ts. */
export function cacheConfig(config: BasicConfig) {
  const { withdraw_method_config: _method, faq_config: _faq, ...kept } = config;
  store('localStorage', key, kept);
  seen = text();
  known.set(kept);
}

/** Reads storage again: another tab may have fetched it meanwhile. */
export function reloadConfig() {
  // If this tab could not store its own configuration, it stays.
  if (text() === seen) return;
  seen = text();
  known.set(stored());
}
