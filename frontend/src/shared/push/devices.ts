import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/call';
import { isRefusal } from '@/api/errors';
import { readQuery } from '@/api/queries/read';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import { session } from '@/api/session';
import type { PushDevice } from '@/api/types';
import { readStored, store } from '@/stored';
import { type Registration, register, registered, unregister } from './browser';

export const pushDevicesQuery = queryOptions(readQuery(['sessions', 'push'], 'GET', '/user/push'));

export type PushKinds = Pick<PushDevice, 'money' | 'rules' | 'sign_in' | 'service'>;
const all: PushKinds = { money: true, rules: true, sign_in: true, service: true };

/**
 * The key under which this user's choice is stored, so that the next session on this device
 * continues with it.
 */
const keyOf = () => `placard_push_kinds_${session.get().user?.id ?? ''}`;

async function tell(registration: Registration, kinds: PushKinds) {
  await call('POST', '/user/push', { body: { ...registration, ...kinds }, inline: ['all'] });
  store('localStorage', keyOf(), kinds);
}

/** Whether it was turned on: not if the user refuses the browser's question. */
export function useTurnOn() {
  return useInvalidatingMutation(
    'registerDevice',
    async (key: string) => {
      const registration = await register(key);
      if (registration) await tell(registration, all);
      return registration !== null;
    },
    { awaitRefetch: true },
  );
}

export function useChooseKinds() {
  return useInvalidatingMutation(
    'registerDevice',
    async (kinds: PushKinds) => {
      const registration = await registered();
      if (registration) await tell(registration, kinds);
    },
    { awaitRefetch: true },
  );
}

/**
 * Turns a device off. For this device, the browser's subscription ends too. A device that is gone
 * already is not a failure.
 */
export function useTurnOff() {
  return useInvalidatingMutation(
    'registerDevice',
    async ({ id, current }: PushDevice) => {
      const options = { body: { id }, inline: ['all'] } as const;
      await call('POST', '/user/push/end', options).catch((error: unknown) => {
        if (!isRefusal(error, 'not_found')) throw error;
      });
      if (!current) return;
      store('localStorage', keyOf(), null);
      await unregister();
    },
    { awaitRefetch: true },
  );
}

/** After another login on a device on which this user had turned it on: it belongs to this session. */
export async function goOn() {
  const kinds = readStored('localStorage', keyOf()) as PushKinds | null;
  const registration = kinds && (await registered());
  if (!registration) return;
  const devices = await call('GET', '/user/push', { inline: ['all'] });
  if (!devices.some(({ current }) => current)) await tell(registration, kinds);
}
