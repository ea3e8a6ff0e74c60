import type { MoreIconName } from './more-icons';

/** What a page before the login may show. */
const first = {
  back: 'M15 5l-7 7 7 7',
  bell: 'M6 9a6 6 0 1 1 12 0c0 6 2 7 2 7H4s2-1 2-7m4 11a2.2 2.2 0 0 0 4 0',
  check: 'M5 12.5 10 17.5 19.5 7',
  chevron: 'M9 5l7 7-7 7',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h9a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2M16 9V5a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v9a2 2 0 0 0 2 2h2',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6',
  'eye-off':
    'M4 4l16 16M9.9 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.7 3.4M6.2 7.3A15 15 0 0 0 2.5 12s3.5 6.5 9.5 6.5a9 9 0 0 0 4-1M9.9 9.9a3 3 0 0 0 4.2 4.2',
  globe:
    'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3',
  headset:
    'M4 14v-2a8 8 0 0 1 16 0v2M4 14.5A1.5 1.5 0 0 1 5.5 13H7v6H5.5A1.5 1.5 0 0 1 4 17.5zm16 0a1.5 1.5 0 0 0-1.5-1.5H17v6h1.5a1.5 1.5 0 0 0 1.5-1.5zM17 19c0 1.5-1.5 2.5-4 2.5',
  info: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18m0 8v5m0-8.5v.01',
  logout: 'M14 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4M9 8l-4 4 4 4m-4-4h11',
  message: 'M5 4h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-6l-5 4v-4H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2',
  question:
    'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .9-1 1.7m0 3v.01',
  reload: 'M20 5v5h-5M4 19v-5h5M19 10A7.5 7.5 0 0 0 5.5 8M5 14a7.5 7.5 0 0 0 13.5 2',
  warning: 'M12 4 21.5 20h-19zm0 6v4.5m0 2.7v.01',
} as const;

export type IconName = keyof typeof first | MoreIconName;

const paths: Partial<Record<IconName, string>> = { ...first };

/** Brings the others in: ./more-icons.ts. */
export function addIcons(more: Partial<Record<IconName, string>>) {
  Object.assign(paths, more);
}

/** A stroke icon in the text's colour. Decoration: the control around it carries the name. */
export function Icon({ name, size = 24 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
