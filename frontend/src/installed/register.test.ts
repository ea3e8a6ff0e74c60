import { beforeEach, expect, it, vi } from 'vitest';
import { newVersion } from './new-version';
import { install } from './register';

const named = (names: object) => Object.assign(new EventTarget(), names);

/** What a browser says while `worker` is installed, where `controller` has the page by then. */
async function installed(controller: EventTarget | null, worker: EventTarget) {
  const registration = named({ waiting: null, installing: worker });
  const serviceWorker = named({ controller, register: async () => registration });
  vi.stubGlobal('navigator', { serviceWorker });
  await install();
  registration.dispatchEvent(new Event('updatefound'));
  worker.dispatchEvent(new Event('statechange'));
}

beforeEach(() => newVersion.set(null));

it('offers a version that waits for the one that is open', async () => {
  const worker = named({ state: 'installed' });
  await installed(named({ state: 'activated' }), worker);
  expect(newVersion.get()).toBe(worker);
});

it('does not offer the first one, not even once it has taken the page over', async () => {
  const worker = named({ state: 'installed' });
  await installed(null, worker);
  expect(newVersion.get()).toBeNull();
  await installed(worker, worker);
  expect(newVersion.get()).toBeNull();
});
