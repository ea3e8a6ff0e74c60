/** What a native app that embeds these pages may offer to them. */
type NativeShell = {
  close(): void;
  /** The device's languages, where the web view's own would be misleading. */
  languages?: readonly string[];
};

declare global {
  interface Window {
    placardShell?: NativeShell;
  }
}

export function nativeShell(): NativeShell | null {
  return window.placardShell ?? null;
}

/** The shell's own back key: it dispatches this event on `window`. */
export const nativeBackEvent = 'placard:back';
