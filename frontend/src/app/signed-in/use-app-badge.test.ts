import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { unread } from '@/shared/account/unread';
import { useAppBadge } from './use-app-badge';

afterEach(() => {
  unread.reset();
  Reflect.deleteProperty(navigator, 'setAppBadge');
});

it('shows on the icon what the bell shows, and nothing before the server has said it', () => {
  const badge = vi.fn(async () => {});
  Object.defineProperty(navigator, 'setAppBadge', { configurable: true, value: badge });
  renderHook(useAppBadge);
  expect(badge).not.toHaveBeenCalled();
  act(() => unread.set(3));
  act(() => unread.decrease(3));
  expect(badge.mock.calls).toEqual([[3], [0]]);
});

it('is missing in some browsers', () => {
  renderHook(useAppBadge);
  expect(() => act(() => unread.set(3))).not.toThrow();
});
