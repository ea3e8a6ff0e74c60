/*
 * The bridge to an app that embeds these pages; docs/NATIVE-SHELL.md is for its authors. Three
 * channels carry the same messages: WKWebView's message handler, a JavaScript interface on Android,
 * and a frame's parent.
 */
type ShellMessage =
  | { type: 'ready' }
  | { type: 'close' }
  | { type: 'open'; url: string }
  | { type: 'session_ended' };

declare global {
  interface Window {
    webkit?: { messageHandlers?: { placard?: { postMessage(message: ShellMessage): void } } };
    PlacardAndroid?: { postMessage(json: string): void };
    /** The settings that a native shell may provide before the page starts. */
    placardShell?: { languages?: readonly string[] };
  }
}

export type NativeShell = NonNullable<ReturnType<typeof nativeShell>>;

/** The shell's own back key: it dispatches this event on `window`. */
export const nativeBackEvent = 'placard:back';

/** A parent counts as a shell once it has answered; any other frame is ignored. */
let parentOrigin: string | null = null;

function channel(): ((message: ShellMessage) => void) | null {
  const ios = window.webkit?.messageHandlers?.placard;
  if (ios) return (message) => ios.postMessage(message);
  const android = window.PlacardAndroid;
  if (android) return (message) => android.postMessage(JSON.stringify(message));
  const origin = parentOrigin;
  if (origin) return (message) => tellParent(message, origin);
  return null;
}

function tellParent(message: ShellMessage, origin: string) {
  window.parent.postMessage({ source: 'placard', ...message }, origin);
}

export function nativeShell() {
  const send = channel();
  if (!send) return null;
  return {
    close: () => send({ type: 'close' }),
    /** An address outside the app, which a web view alone would not open. */
    open: (url: string) => send({ type: 'open', url }),
    /** The session is over: the shell may enter again with a new ticket. */
    sessionEnded: () => send({ type: 'session_ended' }),
  };
}

/** The device's languages, if the web view's own would be misleading. */
export function shellLanguages(): readonly string[] | null {
  const said: unknown = window.placardShell?.languages;
  // The value is foreign: whatever it is, the pages must start.
  const codes = Array.isArray(said) ? said.filter((code) => typeof code === 'string') : [];
  return codes.length > 0 ? codes : null;
}

/** Reports that the pages are ready, and listens to a parent; native shells dispatch the event. */
export function startShell() {
  channel()?.({ type: 'ready' });
  if (window.parent === window) return;
  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== window.parent || data?.target !== 'placard') return;
    if (data.type === 'shell') parentOrigin = origin;
    if (data.type === 'back' && origin === parentOrigin) {
      window.dispatchEvent(new Event(nativeBackEvent));
    }
  });
  // The parent is not known yet; the message contains nothing confidential.
  tellParent({ type: 'ready' }, '*');
}
