import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { fakePush } from '@/testing/push';
import { goOn } from './devices';

const chosen = { money: true, rules: true, sign_in: false, service: true };
const key = `placard_push_kinds_${aUser.id}`;

function open(current: boolean) {
  return fakeApi({ 'GET /user/push': () => [{ id: '1', current }], 'POST /user/push': () => [] });
}

const sent = (api: ReturnType<typeof fakeApi>) =>
  api.sent.filter(({ method }) => method === 'POST').map(({ body }) => body);

describe('after another login on the same device', () => {
  beforeEach(() => session.signIn({ token: 'token-2', user: aUser }));
  afterEach(() => vi.unstubAllGlobals());

  it('its user goes on being told of what they chose', async () => {
    const push = fakePush('granted');
    push.subscribed();
    localStorage.setItem(key, JSON.stringify(chosen));
    const api = open(false);
    await goOn();
    expect(sent(api)).toEqual([{ ...push.registration, ...chosen }]);
  });

  it('nothing is sent where it goes on already', async () => {
    fakePush('granted').subscribed();
    localStorage.setItem(key, JSON.stringify(chosen));
    const api = open(true);
    await goOn();
    expect(sent(api)).toEqual([]);
  });

  it('another user is asked first', async () => {
    fakePush('granted').subscribed();
    localStorage.setItem('placard_push_kinds_somebody', JSON.stringify(chosen));
    const api = open(false);
    await goOn();
    expect(api.sent).toEqual([]);
  });
});
