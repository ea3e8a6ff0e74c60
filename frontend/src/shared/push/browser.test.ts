import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakePush } from '@/testing/push';
import { isBlocked, isUnasked, register, registered, support, unregister } from './browser';

afterEach(() => vi.unstubAllGlobals());

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('notices while the app is not open', () => {
  it('are for browsers that have them, and for iOS after installing', () => {
    expect(support()).toBe('none');
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(iphone);
    expect(support()).toBe('install');
    fakePush('default');
    expect(support()).toBe('works');
  });

  it('are registered once the user allows it', async () => {
    const push = fakePush('default', 'granted');
    expect([isUnasked(), isBlocked()]).toEqual([true, false]);
    expect(await registered()).toBeNull();
    expect(push.asked()).toBe(0);
    expect(await register('key-1')).toEqual(push.registration);
    expect([push.asked(), push.keys()]).toEqual([1, ['key-1']]);
    expect(await registered()).toEqual(push.registration);
    await unregister();
    expect(await registered()).toBeNull();
  });

  it('are not where the user refuses', async () => {
    fakePush('default', 'denied');
    expect(await register('key-1')).toBeNull();
    expect([isBlocked(), isUnasked()]).toEqual([true, false]);
    expect(await registered()).toBeNull();
  });

  it('are registered anew where another key was', async () => {
    const push = fakePush('granted');
    await register('old');
    push.refuseOnce();
    expect(await register('new')).toEqual(push.registration);
    expect(push.keys()).toEqual(['old', 'new']);
  });
});
