import { isAppLanguage } from '@/i18n/languages';

/** The switches and their values. */
export const choices = {
  theme: ['system', 'light', 'dark'],
  width: ['320', '375', '600'],
  text: ['100', '200'],
  motion: ['system', 'reduced'],
} as const;

export type Choice = keyof typeof choices;
export type Settings = Record<Choice | 'lang', string>;

const first: Settings = {
  theme: 'system',
  lang: 'en',
  width: '375',
  text: '100',
  motion: 'system',
};

/** Settings are part of the address, so that a view can be shared. */
export function readSettings(query: string): Settings {
  const given = new URLSearchParams(query);
  const settings = { ...first };
  for (const name of Object.keys(first) as (keyof Settings)[]) {
    const value = given.get(name);
    if (value !== null && isKnown(name, value)) settings[name] = value;
  }
  return settings;
}

function isKnown(name: keyof Settings, value: string): boolean {
  if (name === 'lang') return isAppLanguage(value);
  return (choices[name] as readonly string[]).includes(value);
}

export function writeSettings(settings: Settings): string {
  return `?${new URLSearchParams(settings)}`;
}
