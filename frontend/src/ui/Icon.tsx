/** Outlines of one hand: 24 px grid, 1.8 px stroke, round ends. */
const paths = {
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  alert: 'M12 8v5M12 16.5v.1M12 3.2l9.3 16.3H2.7z',
  info: 'M12 11v5.5M12 7.5v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21h4',
  globe:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c2.5 2.6 3.8 5.6 3.8 9s-1.3 6.4-3.8 9c-2.5-2.6-3.8-5.6-3.8-9S9.5 5.6 12 3z',
  headset:
    'M4 15v-3a8 8 0 0 1 16 0v3M4 14.5h2.5v5H6a2 2 0 0 1-2-2zM20 14.5h-2.5v5h.5a2 2 0 0 0 2-2zM18 19.5c-1 1.5-2.5 2-5 2',
  logout: 'M14 4H7a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h7M10.5 12H21M17.5 8.5L21 12l-3.5 3.5',
  chart: 'M4 20h16M6.5 16v-5M12 16V6M17.5 16V9',
  layers: 'M12 3.5l9 4.8-9 4.8-9-4.8zM3 12.5l9 4.8 9-4.8M3 16.7l9 4.8 9-4.8',
  wallet: 'M4 7.5h15a1.5 1.5 0 0 1 1.5 1.5v9a1.5 1.5 0 0 1-1.5 1.5H5.5A2 2 0 0 1 3.5 17.5V6a2 2 0 0 1 2-2H17v3.5M16.5 13.5v.1',
  shop: 'M4 10v10h16V10M3 9.5L5 4h14l2 5.5c0 3-4 3.5-4.5.5-.5 3-4 3-4.5 0-.5 3-4 3-4.5 0C7 13 3 12.5 3 9.5z',
  gauge: 'M4.5 18.5a9 9 0 1 1 15 0M12 14l4-5',
  shield: 'M12 3l8 3v6c0 5-3.5 8-8 9.5C7.5 20 4 17 4 12V6zM8.5 12l2.5 2.5 4.5-5',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z',
  eyeOff:
    'M4 4l16 16M9.9 5.7c.7-.1 1.4-.2 2.1-.2 6 0 9.5 6.5 9.5 6.5s-.9 1.7-2.6 3.3M6 7.7C3.7 9.5 2.5 12 2.5 12S6 18.5 12 18.5c1.5 0 2.9-.4 4-1M9.9 10.2a2.8 2.8 0 0 0 3.9 3.9',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6',
  lock: 'M6 10.5h12v10H6zM8.5 10.5V7.5a3.5 3.5 0 0 1 7 0v3M12 14.5v2',
  mail: 'M3.5 6h17v12.5h-17zM4 6.5l8 6.5 8-6.5',
  phone: 'M7 3.5h10v17H7zM11 17.5h2',
  key: 'M8 11a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM11.5 12.5L20 4M16.5 7.5l3 3',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.5M20 4.5v5h-5',
  external: 'M14 4.5h5.5V10M19 5l-8 8M10 5.5H5.5v13h13V14',
  inbox: 'M4 13l3-8h10l3 8v6.5H4zM4 13h5l1.2 2.5h3.6L15 13h5',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14',
} as const;

export type IconName = keyof typeof paths;

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
      style={{ flex: 'none' }}
    >
      <path d={paths[name]} />
    </svg>
  );
}
