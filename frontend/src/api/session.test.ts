import { describe, expect, it, vi } from 'vitest';
import { aUser } from '@/testing/data';
import { session } from './session';

describe('session', () => {
  it('keeps token and user under the agreed keys', () => {
    session.signIn({ token: 'abc', user: aUser });
    expect(localStorage.getItem('fb_token')).toBe('abc');
    expect(JSON.parse(localStorage.getItem('fb_userInfo') ?? '')).toEqual(aUser);
  });

  it('clears who was signed in, and tells who listens', () => {
    session.signIn({ token: 'abc', user: aUser });
    const heard = vi.fn();
    const stop = session.subscribe(heard);
    session.clear();
    stop();
    expect(heard).toHaveBeenCalledOnce();
    expect(session.get()).toMatchObject({ token: null, user: null, signInPath: '/login' });
    expect(localStorage.getItem('fb_token')).toBeNull();
    expect(localStorage.getItem('fb_userInfo')).toBeNull();
  });

  it.each([
    ['register', '/login'],
    ['app', '/ad-welcome'],
  ] as const)('that has expired begins anew where who came by %s signs in', (entry, path) => {
    session.signIn({ token: 'abc', user: { ...aUser, entry } });
    session.expire();
    expect(session.get()).toMatchObject({ token: null, user: null, signInPath: path });
    expect(localStorage.getItem('fb_token')).toBeNull();
    // Another tab stores something else.
    session.reload();
    expect(session.get().signInPath).toBe(path);
  });

  it('that has expired does not take the next one with it, which another tab has begun', () => {
    session.signIn({ token: 'abc', user: aUser });
    localStorage.setItem('fb_token', 'def');
    session.expire();
    expect(session.get().token).toBe('def');
    expect(localStorage.getItem('fb_token')).toBe('def');
  });

  it('hears of a sign-out also where it has stored something itself since', () => {
    session.signIn({ token: 'abc', user: aUser });
    localStorage.removeItem('fb_token');
    session.keepUser({ ...aUser, nickname: 'Ann' });
    session.reload();
    expect(session.get().token).toBeNull();
  });

  it('survives storage that someone else has written to', () => {
    localStorage.setItem('fb_userInfo', '{broken');
    session.reload();
    expect(session.get().user).toBeNull();
  });

  it('goes on in memory where a browser refuses storage', () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
    session.reload();
    session.signIn({ token: 'abc', user: aUser });
    expect(session.get()).toMatchObject({ token: 'abc', user: aUser });
  });

  it.each([
    [
      'refuses',
      () => {
        throw new DOMException('denied', 'SecurityError');
      },
    ],
    ['has none', () => null as unknown as Storage],
  ])('goes on where a browser %s, after the page was put away for Back', (_how, storage) => {
    const spy = vi.spyOn(window, 'localStorage', 'get').mockImplementation(storage);
    session.signIn({ token: 'abc', user: aUser });
    session.reload();
    spy.mockRestore();
    expect(session.get()).toMatchObject({ token: 'abc', user: aUser });
  });

  it('goes on where storage is full, also when another tab stores something else', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    session.signIn({ token: 'abc', user: aUser });
    session.reload();
    expect(session.get()).toMatchObject({ token: 'abc', user: aUser });
  });
});
