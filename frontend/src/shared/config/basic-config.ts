import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import { cacheConfig } from '@/api/queries/cached-config';
import { currentLanguage } from '@/i18n/texts';

/** Contacts and texts in it are in the requested language. */
export function basicConfigQuery() {
  const lang = currentLanguage();
  return queryOptions({
    queryKey: ['basic-config', lang],
    queryFn: async ({ signal }) => {
      // Components that show it say in their own place if it is missing.
      const options = { query: { lang }, signal, inline: ['all'] } as const;
      const config = await call('GET', '/basic_config', options);
      cacheConfig(config);
      return config;
    },
  });
}

/** The complete configuration, including the parts that are not stored, in the current language. */
export function useBasicConfig() {
  return useQuery(basicConfigQuery());
}
