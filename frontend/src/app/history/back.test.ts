import { describe, expect, it, vi } from 'vitest';
import { addressedRule, followBack } from './back';

function world(given: Partial<Parameters<typeof followBack>[0]> = {}) {
  const done: string[] = [];
  followBack({
    closeLayer: () => false,
    custom: null,
    rule: 'history',
    hasPrevious: true,
    closeNative: null,
    goTo: (path) => done.push(`go ${path}`),
    goBack: () => done.push('back'),
    ...given,
  });
  return done;
}

describe('back', () => {
  it('closes what lies over the page first', () => {
    const custom = vi.fn();
    const closeNative = vi.fn();
    const layers = { closeLayer: () => true, custom, closeNative };
    expect(world({ ...layers, hasPrevious: false, rule: 'native' })).toEqual([]);
    expect(custom).not.toHaveBeenCalled();
    expect(closeNative).not.toHaveBeenCalled();
  });

  it("then asks the page's own handler", () => {
    const custom = vi.fn();
    const closeNative = vi.fn();
    expect(world({ custom, closeNative, hasPrevious: false, rule: { to: '/plan' } })).toEqual([]);
    expect(custom).toHaveBeenCalledOnce();
    expect(closeNative).not.toHaveBeenCalled();
  });

  it('then closes the app when a shell has no previous page', () => {
    const closeNative = vi.fn();
    expect(world({ closeNative, hasPrevious: false, rule: { to: '/plan' } })).toEqual([]);
    expect(closeNative).toHaveBeenCalledOnce();
  });

  it('closes the app from the ad center whatever came before', () => {
    const closeNative = vi.fn();
    expect(world({ closeNative, rule: 'native' })).toEqual([]);
    expect(closeNative).toHaveBeenCalledOnce();
  });

  it('then goes to the named route', () => {
    expect(world({ rule: { to: '/ad-center' } })).toEqual(['go /ad-center']);
    expect(world({ rule: { to: '/ad-center' }, closeNative: vi.fn() })).toEqual(['go /ad-center']);
  });

  it('else goes one step back, and home when there is none', () => {
    expect(world()).toEqual(['back']);
    expect(world({ hasPrevious: false })).toEqual(['go /ad-center']);
  });

  it('goes by the address, which is ahead of the page while that is loaded', () => {
    window.location.hash = '#/notification?state=unread';
    expect(addressedRule()).toBe('history');
    window.location.hash = '#/ad-center';
    expect(addressedRule()).toBe('native');
    window.location.hash = '#/no-such-page';
    expect(addressedRule()).toBe('history');
    window.location.hash = '';
  });
});
