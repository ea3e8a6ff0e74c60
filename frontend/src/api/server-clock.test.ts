// @vitest-environment node
import { afterEach, describe, expect, it, vi } from 'vitest';
import { noteServerTime, serverNow } from './server-clock';

afterEach(() => noteServerTime(new Date().toUTCString()));

describe('the server’s clock', () => {
  it('is followed where the device’s is wrong', () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-21T10:00:00Z') });
    noteServerTime('Sat, 21 Nov 2026 09:50:00 GMT');
    expect(serverNow()).toBe(Date.parse('2026-11-21T09:50:00Z'));
    vi.advanceTimersByTime(5000);
    expect(serverNow()).toBe(Date.parse('2026-11-21T09:50:05Z'));
  });

  it('is the device’s where they agree, or where it is not told', () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-21T10:00:00.900Z') });
    noteServerTime('Sat, 21 Nov 2026 10:00:00 GMT');
    expect(serverNow()).toBe(Date.now());
    noteServerTime(null);
    noteServerTime('yesterday');
    expect(serverNow()).toBe(Date.now());
  });
});
