import { call } from '@/api/call';
import type { UnreadCount } from '@/api/types';
import { createStore } from '@/external-store';

const count = createStore(0);
let fetching = false;

function set(next: number) {
  count.set(Math.max(0, next));
}

export const unread = {
  get: count.get,
  set,
  reset: () => set(0),
  decrease: (by: number) => set(count.get() - by),
  async fetch() {
    if (fetching) return;
    fetching = true;
    try {
      // The badge is an aside: a lost connection here must not talk over the page.
      const answer = await call<UnreadCount>('POST', '/user/notifications/unread_count', {
        inline: ['network'],
      });
      set(answer.unread_total);
    } catch {
      // Asked again with the next page.
    } finally {
      fetching = false;
    }
  },
};

export const useUnread = count.use;
