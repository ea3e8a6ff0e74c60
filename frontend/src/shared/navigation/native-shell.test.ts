import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NativeShell } from './native-shell';

/** The module remembers the frame's parent, so each test imports a fresh one. */
async function freshShell() {
  vi.resetModules();
  return import('./native-shell');
}

/** Makes the page a frame in `parent`, and records what it posts there. */
function inFrame() {
  const posted: unknown[][] = [];
  const parent = { postMessage: (...message: unknown[]) => posted.push(message) };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  return { parent: parent as unknown as Window, posted };
}

function hear(source: unknown, origin: string, data: unknown) {
  const event = new MessageEvent('message', { origin, data });
  Object.defineProperty(event, 'source', { value: source });
  window.dispatchEvent(event);
}

const listen = window.addEventListener;
let ofThisTest = new AbortController();

beforeEach(() => {
  ofThisTest = new AbortController();
  const { signal } = ofThisTest;
  // A page listens as long as it lives. Here, the test plays the page.
  vi.spyOn(window, 'addEventListener').mockImplementation((type: string, listener: unknown) =>
    listen.call(window, type, listener as EventListener, { signal }),
  );
});

afterEach(() => {
  ofThisTest.abort();
  window.webkit = undefined;
  window.PlacardAndroid = undefined;
  window.placardShell = undefined;
});

const everything: [string, (shell: NativeShell) => void, object][] = [
  ['close', (shell) => shell.close(), { type: 'close' }],
  [
    'open',
    (shell) => shell.open('https://help.example.com/'),
    { type: 'open', url: 'https://help.example.com/' },
  ],
  ['session_ended', (shell) => shell.sessionEnded(), { type: 'session_ended' }],
];

describe('the native shell', () => {
  it('is absent in a browser', async () => {
    const { nativeShell, shellLanguages, startShell } = await freshShell();
    startShell();
    expect(nativeShell()).toBeNull();
    expect(shellLanguages()).toBeNull();
  });

  it.each(everything)('hears %s on iOS as an object', async (_name, say, message) => {
    const postMessage = vi.fn();
    window.webkit = { messageHandlers: { placard: { postMessage } } };
    const { nativeShell } = await freshShell();
    const shell = nativeShell();
    expect(shell).not.toBeNull();
    if (shell) say(shell);
    expect(postMessage.mock.calls).toEqual([[message]]);
  });

  it.each(everything)('hears %s on Android as JSON', async (_name, say, message) => {
    const postMessage = vi.fn();
    window.PlacardAndroid = { postMessage };
    const { nativeShell } = await freshShell();
    const shell = nativeShell();
    if (shell) say(shell);
    expect(postMessage.mock.calls.map(([json]) => JSON.parse(json))).toEqual([message]);
  });

  it('is not somebody else’s web view', async () => {
    window.webkit = { messageHandlers: {} };
    const { nativeShell } = await freshShell();
    expect(nativeShell()).toBeNull();
  });

  it('hears that the pages are there, and says the device’s languages', async () => {
    const postMessage = vi.fn();
    window.PlacardAndroid = { postMessage };
    window.placardShell = { languages: ['th-TH'] };
    const { shellLanguages, startShell } = await freshShell();
    startShell();
    expect(postMessage.mock.calls).toEqual([['{"type":"ready"}']]);
    expect(shellLanguages()).toEqual(['th-TH']);
  });

  it.each([['th-TH'], [null], [[]], [[7, null]], [{}]])(
    'has said no languages by %j',
    async (languages) => {
      window.placardShell = { languages: languages as never };
      const { shellLanguages } = await freshShell();
      expect(shellLanguages()).toBeNull();
    },
  );
});

describe('a parent frame', () => {
  const origin = 'https://shell.example.com';

  it('is a shell once it has said so, and only its own origin hears more', async () => {
    const { parent, posted } = inFrame();
    const { nativeShell, startShell } = await freshShell();
    startShell();
    expect(posted).toEqual([[{ source: 'placard', type: 'ready' }, '*']]);
    expect(nativeShell()).toBeNull();
    hear(parent, origin, { target: 'placard', type: 'shell' });
    nativeShell()?.close();
    expect(posted.at(-1)).toEqual([{ source: 'placard', type: 'close' }, origin]);
  });

  it('has a back key', async () => {
    const { parent } = inFrame();
    const { nativeBackEvent, startShell } = await freshShell();
    const back = vi.fn();
    window.addEventListener(nativeBackEvent, back);
    startShell();
    hear(parent, origin, { target: 'placard', type: 'back' });
    expect(back).not.toHaveBeenCalled();
    hear(parent, origin, { target: 'placard', type: 'shell' });
    hear(parent, origin, { target: 'placard', type: 'back' });
    expect(back).toHaveBeenCalledOnce();
    window.removeEventListener(nativeBackEvent, back);
  });

  it.each([
    ['another window', {}, { target: 'placard', type: 'shell' }],
    ['another protocol', null, { type: 'shell' }],
    ['nothing', null, null],
    ['a text', null, 'shell'],
  ])('is not taken from %s', async (_name, stranger, data) => {
    const { parent } = inFrame();
    const { nativeShell, startShell } = await freshShell();
    startShell();
    hear(stranger ?? parent, origin, data);
    expect(nativeShell()).toBeNull();
  });
});
