// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Conversation, Message } from '@/api/types';
import { appendSent, type Known, lastAnswer, mergeNewest, prependOlder } from './messages';

const message = (id: number, author: Message['author'] = 'user'): Message => ({
  id: `${id}`,
  author,
  text: `Text ${id}`,
  pictures: [],
  created_at: '2026-11-20T10:00:00Z',
  read: false,
});

/** Newest first, as the server sends them. */
const page = (from: number, to: number, next: string | null): Conversation => ({
  items: Array.from({ length: to - from + 1 }, (_, at) => message(to - at)),
  next_cursor: next,
  status: 'open',
  unread: 0,
});

const ids = ({ messages }: Known) => messages.map(({ id }) => Number(id));

describe('what is known of a conversation', () => {
  it('begins with the newest page, oldest first', () => {
    const known = mergeNewest(undefined, page(3, 5, '3'));
    expect(ids(known)).toEqual([3, 4, 5]);
    expect(known.older).toBe('3');
  });

  it('keeps earlier pages when a new message has come', () => {
    const earlier = prependOlder(mergeNewest(undefined, page(3, 5, '3')), page(1, 2, null));
    expect(ids(earlier)).toEqual([1, 2, 3, 4, 5]);
    const later = mergeNewest(earlier, page(4, 6, '4'));
    expect(ids(later)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(later.older).toBeNull();
  });

  it('takes what the server says of messages it knew', () => {
    const known = mergeNewest(undefined, page(1, 2, null));
    const read = page(1, 2, null);
    read.items = read.items.map((item) => ({ ...item, read: true }));
    expect(mergeNewest(known, read).messages.every((item) => item.read)).toBe(true);
  });

  it('leaves no gap: it begins again if too much was written meanwhile', () => {
    const known = prependOlder(mergeNewest(undefined, page(3, 5, '3')), page(1, 2, null));
    const later = mergeNewest(known, page(8, 10, '8'));
    expect(ids(later)).toEqual([8, 9, 10]);
    expect(later.older).toBe('8');
  });

  it('has a sent message once, whichever came first', () => {
    const known = { ...mergeNewest(undefined, page(1, 2, null)), status: 'closed' as const };
    const sent = appendSent(known, message(3));
    expect(ids(sent)).toEqual([1, 2, 3]);
    expect(sent.status).toBe('open');
    expect(ids(appendSent(sent, message(3)))).toEqual([1, 2, 3]);
    expect(ids(appendSent(mergeNewest(undefined, page(1, 3, null)), message(3)))).toEqual([
      1, 2, 3,
    ]);
  });

  it('knows the last answer', () => {
    const known = mergeNewest(undefined, page(1, 2, null));
    expect(lastAnswer(known)).toBeUndefined();
    known.messages.splice(1, 0, message(9, 'staff'));
    expect(lastAnswer(known)?.id).toBe('9');
  });
});
