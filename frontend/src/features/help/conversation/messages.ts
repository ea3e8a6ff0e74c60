import type { Conversation, Message } from '@/api/types';

/** The known part of the conversation: its latest messages without a gap, oldest first. */
export type Known = {
  messages: Message[];
  /** The cursor for the messages before the first of them; null at the beginning. */
  older: string | null;
  status: Conversation['status'];
  unread: number;
};

/**
 * Joins the newest page with the known messages. If more was written meanwhile than fits on a page,
 * there would be a gap, so the older messages are dropped and fetched again on request.
 */
export function mergeNewest(known: Known | undefined, page: Conversation): Known {
  const newest = [...page.items].reverse();
  const { status, unread } = page;
  const first = newest[0];
  const at = known && first ? known.messages.findIndex(({ id }) => id === first.id) : -1;
  if (!known || at <= 0) return { messages: newest, older: page.next_cursor, status, unread };
  return {
    messages: [...known.messages.slice(0, at), ...newest],
    older: known.older,
    status,
    unread,
  };
}

/** Adds an older page before the known messages. */
export function prependOlder(known: Known, page: Conversation): Known {
  return {
    ...known,
    messages: [...[...page.items].reverse(), ...known.messages],
    older: page.next_cursor,
  };
}

/** Adds a message that was just sent, unless it has been read from the server meanwhile. */
export function appendSent(known: Known, sent: Message): Known {
  const there = known.messages.some(({ id }) => id === sent.id);
  return { ...known, status: 'open', messages: there ? known.messages : [...known.messages, sent] };
}

/** The last answer, up to which the conversation is marked as read. */
export function lastAnswer({ messages }: Known): Message | undefined {
  return messages.findLast(({ author }) => author === 'staff');
}
