import { afterEach, describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { fakeApi, lostConnection } from '@/testing/api';
import { aUser } from '@/testing/data';
import { badgeText } from '@/ui/controls/IconButton';
import { unread } from './unread';

afterEach(() => unread.reset());

describe('the unread count', () => {
  it('never falls below zero', () => {
    unread.set(2);
    unread.decrease(5);
    expect(unread.get()).toBe(0);
    unread.set(-1);
    expect(unread.get()).toBe(0);
  });

  it('comes from the server, and one question at a time', async () => {
    const api = fakeApi({ 'POST /user/notifications/unread_count': () => ({ unread_total: 7 }) });
    await Promise.all([unread.fetch(), unread.fetch(), unread.fetch()]);
    expect(api.sent).toHaveLength(1);
    expect(unread.get()).toBe(7);
    await unread.fetch();
    expect(api.sent).toHaveLength(2);
  });

  it('does not forget what was read while the question was under way', async () => {
    fakeApi({
      'POST /user/notifications/unread_count': () => {
        unread.reset();
        return { unread_total: 7 };
      },
    });
    await unread.fetch();
    expect(unread.get()).toBe(0);
  });

  it('stays as it was when the connection is lost', async () => {
    unread.set(3);
    fakeApi({ 'POST /user/notifications/unread_count': lostConnection });
    await unread.fetch();
    expect(unread.get()).toBe(3);
  });

  it('is capped on the badge', () => {
    expect(badgeText(99)).toBe('99');
    expect(badgeText(100)).toBe('99+');
  });

  it('is nobody else’s', async () => {
    let answerFirst = () => {};
    fakeApi({
      'POST /user/notifications/unread_count': ({ headers }) =>
        headers.get('X-CT') === 'first'
          ? new Promise((answer) => {
              answerFirst = () => answer({ unread_total: 9 });
            })
          : { unread_total: 2 },
    });
    session.signIn({ token: 'first', user: aUser });
    unread.set(5);
    const first = unread.fetch();
    session.signIn({ token: 'second', user: { ...aUser, id: 'u2' } });
    expect(unread.get()).toBe(0);
    await unread.fetch();
    expect(unread.get()).toBe(2);
    answerFirst();
    await first;
    expect(unread.get()).toBe(2);
  });
});
