import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '@/api/call';
import { fetchPicture } from '@/api/picture';
import { invalidateAfter } from '@/api/queries/invalidate';
import type { Message } from '@/api/types';
import { isReadOnly } from '@/shared/account/read-only';
import { unread } from '@/shared/account/unread';
import { appendSent, type Known, mergeNewest, prependOlder } from './messages';

const pageSize = '30';
/** How often an open page looks for answers; a hidden one does not. */
const lookEvery = 10_000;

const key = ['conversation'] as const;

function read(cursor: string | null, signal?: AbortSignal) {
  const query = { cursor, limit: pageSize };
  return call('GET', '/customer/messages', { query, ...(signal && { signal }) });
}

export const conversationQuery = queryOptions({
  queryKey: key,
  queryFn: async ({ client, signal }) => {
    const page = await read(null, signal);
    return mergeNewest(client.getQueryData<Known>(key), page);
  },
});

/** The conversation, looked at again while the page is open and visible. */
export function useConversation() {
  return useQuery({ ...conversationQuery, refetchInterval: lookEvery });
}

export function useOlderMessages() {
  const client = useQueryClient();
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const load = async () => {
    const older = client.getQueryData<Known>(key)?.older;
    if (!older || state === 'busy') return;
    setState('busy');
    try {
      const page = await read(older);
      client.setQueryData<Known>(key, (known) =>
        known?.older === older ? prependOlder(known, page) : known,
      );
      setState('idle');
    } catch {
      setState('failed');
    }
  };
  return { load, state };
}

type Draft = { text: string; pictures: string[]; key: string };

/** Sending again under the same key does not write it twice. */
export async function sendMessage({ text, pictures, key: idempotencyKey }: Draft) {
  return call('POST', '/customer/messages', {
    body: { text, pictures },
    idempotencyKey,
    inline: ['fields', 'network'],
  });
}

export function useAppendSent() {
  const client = useQueryClient();
  return (sent: Message) => {
    client.setQueryData<Known>(key, (known) => known && appendSent(known, sent));
    void invalidateAfter(client, 'sendMessage');
  };
}

export function useMarkRead() {
  const client = useQueryClient();
  return async (until: string) => {
    // Staff who look at the account read for themselves.
    if (isReadOnly()) return;
    try {
      const left = await call('POST', '/customer/messages/read', {
        body: { until },
        inline: ['network'],
      });
      client.setQueryData<Known>(key, (known) => known && { ...known, unread: left.unread });
      void unread.refetch();
    } catch {
      // Marked with the next look.
    }
  };
}

/** Pictures never change. */
export function usePicture(id: string) {
  return useQuery({
    queryKey: ['conversation-picture', id],
    queryFn: ({ signal }) => fetchPicture('/customer/pictures/{id}', { id }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
