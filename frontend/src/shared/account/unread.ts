import { call } from '@/api/call';
import { onOtherSession } from '@/api/session';
import { createStore } from '@/external-store';
import { barred } from './barred';

const count = createStore(0);
/** The question that is under way, if it is of this session. */
let fetching: object | null = null;
/** Something was read while the count was fetched. */
let outdated = false;
/** Counts local changes, so that the answer to an older request does not undo them. */
let said = 0;

function set(next: number) {
  said += 1;
  count.set(Math.max(0, next));
}

export const unread = {
  get: count.get,
  set,
  reset: () => set(0),
  decrease: (by: number) => set(count.get() - by),
  async fetch() {
    if (fetching || barred.get()) return;
    const own = {};
    fetching = own;
    const before = said;
    try {
      // The badge is a detail: a lost connection here must not hide the page.
      const answer = await call('POST', '/user/notifications/unread_count', {
        inline: ['network'],
      });
      if (said === before) set(answer.unread_total);
    } catch {
      // Requested again with the next page.
    }
    if (fetching !== own) return;
    fetching = null;
    if (!outdated) return;
    outdated = false;
    await unread.fetch();
  },
  /** Fetches the count after something was read, also if an older count is still on its way. */
  async refetch() {
    if (fetching) outdated = true;
    else await unread.fetch();
  },
};

// Another account must not show this account's number of notices.
onOtherSession(() => {
  fetching = null;
  outdated = false;
  unread.reset();
});

export const useUnread = count.use;
