import type { TFunction } from 'i18next';

/**
 * The first match names the browser, because each browser also lists the names of the ones after
 * it.
 */
const browsers = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\/|Opera/],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Version\/[\d.]+ .*Safari\/|Safari\//],
] as const;

const systems = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh|Mac OS X/],
  ['Linux', /Linux|X11/],
] as const;

type Device = { browser: string | null; system: string | null };

/** A browser's user agent in familiar names. It may be truncated. */
export function deviceOf(agent: string): Device {
  const first = (known: readonly (readonly [string, RegExp])[]) =>
    known.find(([, pattern]) => pattern.test(agent))?.[0] ?? null;
  return { browser: first(browsers), system: first(systems) };
}

/** `Chrome on Windows`, or as much of it as is known. */
export function deviceName(agent: string, t: TFunction): string {
  const { browser, system } = deviceOf(agent);
  if (browser && system) return t('me.sessions.deviceOn', { browser, system });
  return browser ?? system ?? t('me.sessions.unknown');
}
