import { describe, expect, it } from 'vitest';
import { currentPlace } from './navigation';

describe('the address', () => {
  it.each([
    ['', '/', ''],
    ['#/plan?status=putting', '/plan', '?status=putting'],
    ['#login', '/login', ''],
    [
      '#/customer?url=https%3A%2F%2Fchat.example%2F%23a',
      '/customer',
      '?url=https%3A%2F%2Fchat.example%2F%23a',
    ],
    // However it came about, the app starts.
    ['#//', '//', ''],
    ['#http:', '/http:', ''],
    ['#//evil.example/login', '//evil.example/login', ''],
  ])('%s is read as the router reads it', (hash, pathname, search) => {
    window.location.hash = hash;
    expect(currentPlace()).toEqual({ pathname, search });
  });
});
