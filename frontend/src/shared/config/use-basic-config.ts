import { useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { BasicConfig } from '@/api/types';
import { currentLanguage } from '@/i18n/texts';

/** The whole of it, with the parts that are not kept in storage, in today's words and figures. */
export function useBasicConfig() {
  const lang = currentLanguage();
  return useQuery({
    queryKey: ['basic-config', lang],
    queryFn: ({ signal }) => call<BasicConfig>('GET', '/basic_config', { query: { lang }, signal }),
  });
}
