// @vitest-environment node
import { afterEach, expect, it } from 'vitest';
import { noteServerTime } from '@/api/server-clock';
import { aUser } from '@/testing/data';
import { vipUntil } from './vip';

const minute = 60_000;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minute).toISOString();

afterEach(() => noteServerTime(inMinutes(0)));

it('ends by the server’s clock, whatever the device’s says', () => {
  const until = inMinutes(30);
  expect(vipUntil({ ...aUser, vip_until: until })).toBe(until);
  noteServerTime(inMinutes(60));
  expect(vipUntil({ ...aUser, vip_until: until })).toBeNull();
  expect(vipUntil({ ...aUser, vip_until: null })).toBeNull();
});
