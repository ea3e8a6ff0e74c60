import { describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { aConfig, aUser } from '@/testing/data';
import { cacheConfig, cachedConfig, reloadConfig } from './cached-config';

describe('what is known of the basic config', () => {
  it('is kept without withdrawal methods and questions', () => {
    cacheConfig(aConfig);
    const stored = JSON.parse(localStorage.getItem('fb_basic_config') ?? '');
    expect(stored.currency.code).toBe('USD');
    expect(stored).not.toHaveProperty('withdraw_method_config');
    expect(stored).not.toHaveProperty('faq_config');
    expect(cachedConfig()).toEqual(stored);
  });

  it('stays when somebody signs out', () => {
    cacheConfig(aConfig);
    session.signIn({ token: 'abc', user: aUser });
    session.clear();
    expect(localStorage.getItem('fb_basic_config')).not.toBeNull();
    expect(cachedConfig()?.currency.code).toBe('USD');
  });

  it('is known as long as the page is open in a browser that stores nothing', () => {
    const storage = (): Storage => {
      throw new DOMException('denied', 'SecurityError');
    };
    const spy = vi.spyOn(window, 'localStorage', 'get').mockImplementation(storage);
    cacheConfig(aConfig);
    // As a page does that was put away for Back.
    reloadConfig();
    spy.mockRestore();
    expect(cachedConfig()?.currency.code).toBe('USD');
  });

  it('is known as long as the page is open where storage is full', () => {
    const spy = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    cacheConfig(aConfig);
    reloadConfig();
    spy.mockRestore();
    expect(cachedConfig()?.currency.code).toBe('USD');
  });

  it('survives storage that someone else has written to', () => {
    localStorage.setItem('fb_basic_config', '{broken');
    reloadConfig();
    expect(cachedConfig()).toBeNull();
  });
});
