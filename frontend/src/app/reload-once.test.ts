import { beforeEach, describe, expect, it, vi } from 'vitest';
import { reloadOnceOnMissingFiles } from './reload-once';

const reload = vi.fn();
let answers: () => Response;

reloadOnceOnMissingFiles();

async function missFile() {
  window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }));
  await new Promise((done) => setTimeout(done));
}

beforeEach(() => {
  sessionStorage.clear();
  reload.mockReset();
  vi.stubGlobal('location', { ...window.location, reload });
  vi.stubGlobal('fetch', async () => answers());
});

describe('a missing file', () => {
  it('reloads once where the server has newer ones', async () => {
    answers = () => new Response();
    await missFile();
    await missFile();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('reloads no more for the same release, however long it is open', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    answers = () => new Response();
    await missFile();
    vi.setSystemTime(Date.now() + 3_600_000);
    await missFile();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('leaves the page alone where it cannot be remembered that it was reloaded', async () => {
    answers = () => new Response();
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await missFile();
    expect(reload).not.toHaveBeenCalled();
  });

  it('reloads also where the browser does not say what is installed', async () => {
    answers = () => new Response();
    const refuse = () => Promise.reject(new DOMException('denied', 'SecurityError'));
    vi.stubGlobal('navigator', { serviceWorker: { getRegistration: refuse } });
    await missFile();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('leaves the page alone where nobody answers', async () => {
    answers = () => {
      throw new TypeError('Failed to fetch');
    };
    await missFile();
    expect(reload).not.toHaveBeenCalled();
    answers = () => new Response(null, { status: 503 });
    await missFile();
    expect(reload).not.toHaveBeenCalled();
  });
});
