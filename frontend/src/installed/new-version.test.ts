import { beforeEach, describe, expect, it, vi } from 'vitest';
import { newVersion } from './new-version';

const reload = vi.fn();
const workers = new EventTarget();

function aWorker(state: ServiceWorkerState) {
  const postMessage = vi.fn();
  newVersion.set({ state, postMessage } as Partial<ServiceWorker> as ServiceWorker);
  return postMessage;
}

beforeEach(() => {
  reload.mockReset();
  vi.stubGlobal('location', { ...window.location, reload });
  vi.stubGlobal('navigator', { serviceWorker: workers });
});

describe('a new version that is taken', () => {
  it('is opened once it has taken over', () => {
    const told = aWorker('installed');
    newVersion.take();
    expect(told).toHaveBeenCalledWith('take-over');
    expect(reload).not.toHaveBeenCalled();
    workers.dispatchEvent(new Event('controllerchange'));
    expect(reload).toHaveBeenCalledOnce();
  });

  it.each(['activated', 'redundant'] as const)(
    'is opened at once where another tab has taken it or a newer one, and it is %s',
    (state) => {
      aWorker(state);
      newVersion.take();
      expect(reload).toHaveBeenCalledOnce();
    },
  );
});
