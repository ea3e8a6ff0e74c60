import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { BasicConfig } from '@/api/types';
import { currentLanguage } from '@/i18n/texts';
import { keepConfig } from './known-config';

/** Contacts and texts in it are in the asked language. */
export function basicConfigQuery() {
  const lang = currentLanguage();
  return queryOptions({
    queryKey: ['basic-config', lang],
    queryFn: async ({ signal }) => {
      // Whoever shows it has a place of its own to say that it cannot be had.
      const options = { query: { lang }, signal, inline: ['all'] };
      const config = await call<BasicConfig>('GET', '/basic_config', options);
      keepConfig(config);
      return config;
    },
  });
}

/** The whole of it, with the parts that are not kept in storage, in today's words and figures. */
export function useBasicConfig() {
  return useQuery(basicConfigQuery());
}
