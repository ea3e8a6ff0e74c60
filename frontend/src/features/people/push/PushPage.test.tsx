import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cacheConfig } from '@/api/queries/cached-config';
import type { PushDevice } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aConfig, aUser } from '@/testing/data';
import { fakePush } from '@/testing/push';
import { renderApp } from '@/testing/render-app';

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const created_at = '2026-11-20T08:00:00Z';
const kinds = { money: true, rules: true, sign_in: true, service: true };
const here: PushDevice = { id: '1', device: chrome, current: true, ...kinds, created_at };
const there: PushDevice = { ...here, id: '2', device: iphone, current: false };

function open(...devices: PushDevice[]) {
  let now = devices;
  const api = fakeApi({
    'GET /user/push': () => now,
    'POST /user/push': ({ body }) => {
      const { money, rules, sign_in, service } = body as PushDevice;
      now = [{ ...here, money, rules, sign_in, service }, ...now.filter(({ current }) => !current)];
      return now;
    },
    'POST /user/push/end': ({ body }) => {
      now = now.filter(({ id }) => id !== (body as { id: string }).id);
      return now;
    },
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/me/push', aUser);
  return api;
}

const button = (name: string) => screen.findByRole('button', { name });
const kind = (name: string) => screen.findByRole('switch', { name });

describe('PushPage', () => {
  beforeEach(() => cacheConfig(aConfig));
  afterEach(() => vi.unstubAllGlobals());

  it('is turned on by a press, and not before', async () => {
    const push = fakePush('default', 'granted');
    const api = open();
    const turnOn = await button('Turn on for this device');
    expect(push.asked()).toBe(0);
    await userEvent.click(turnOn);
    expect(await kind('Money')).toBeChecked();
    expect(push.keys()).toEqual([aConfig.push_key]);
    const sent = api.to('/user/push').filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).toEqual([{ ...push.registration, ...kinds }]);
  });

  it('stays off where the user refuses the browser’s question, and says how to allow it', async () => {
    fakePush('default', 'denied');
    const api = open();
    await userEvent.click(await button('Turn on for this device'));
    expect(await screen.findByText(/Your browser blocks notifications/)).toBeVisible();
    expect(api.to('/user/push').filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('is chosen for each kind', async () => {
    const push = fakePush('granted');
    push.subscribed();
    const api = open(here);
    await userEvent.click(await kind('New devices'));
    await waitFor(async () => expect(await kind('New devices')).not.toBeChecked());
    const sent = api.to('/user/push').filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).toEqual([
      { ...push.registration, ...kinds, sign_in: false },
    ]);
    expect(await kind('Money')).toBeChecked();
  });

  it('is turned off here, and the browser forgets it', async () => {
    const push = fakePush('granted');
    push.subscribed();
    const api = open(here, there);
    await userEvent.click(await button('Turn off for this device'));
    expect(await button('Turn on for this device')).toBeVisible();
    expect(api.to('/user/push/end').map(({ body }) => body)).toEqual([{ id: '1' }]);
    expect(
      await navigator.serviceWorker.getRegistration().then((r) => r?.pushManager.getSubscription()),
    ).toBeNull();
  });

  it('is turned off on another device, also if that is done already', async () => {
    fakePush('granted').subscribed();
    const api = open(here, there);
    const other = await screen.findByRole('button', { name: /iPhone.*Turn off/ });
    api.answer('POST /user/push/end', () => new Refusal(405, 'Not found', { error: 'not_found' }));
    api.answer('GET /user/push', () => [here]);
    await userEvent.click(other);
    await waitFor(() => expect(screen.queryByText('Other devices')).toBeNull());
    expect(await kind('Money')).toBeChecked();
  });

  it('says when it did not work, and can be tried again', async () => {
    fakePush('granted');
    const api = open();
    api.answer('POST /user/push', lostConnection);
    await userEvent.click(await button('Turn on for this device'));
    expect(await screen.findByText('That did not work. Please try again.')).toBeVisible();
    expect(await button('Turn on for this device')).toBeEnabled();
  });

  it('says how to install the app on iOS', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(iphone);
    open();
    expect(await screen.findByText('Choose “Add to Home Screen”.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Turn on for this device' })).toBeNull();
  });

  it('says where the browser has none, and where none are offered', async () => {
    open();
    expect(await screen.findByText(/This browser cannot show/)).toBeVisible();
    cacheConfig({ ...aConfig, push_key: null });
    expect(await screen.findByText('Push notifications are not offered here.')).toBeVisible();
  });
});
