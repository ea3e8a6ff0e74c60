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
    session.clear('/ad-welcome');
    stop();
    expect(heard).toHaveBeenCalledOnce();
    expect(session.get()).toMatchObject({ token: null, user: null, signInPath: '/ad-welcome' });
    expect(localStorage.getItem('fb_token')).toBeNull();
    expect(localStorage.getItem('fb_userInfo')).toBeNull();
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
});
