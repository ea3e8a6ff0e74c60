import { addIcons } from './Icon';

/** They come with the pages behind the login: a phone that has yet to sign in need not load them. */
const more = {
  'arrow-down': 'M12 4v16m0 0 6-6m-6 6-6-6',
  'arrow-up': 'M12 20V4m0 0 6 6m-6-6-6 6',
  bank: 'M3 10 12 4l9 6M5 10v8m4.7-8v8m4.6-8v8M19 10v8M3 20h18',
  calendar:
    'M7 3v4m10-4v4M4 9h16M6 5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2',
  chart: 'M4 20V4m0 16h16M8 16v-4m4 4V8m4 8v-6',
  down: 'M5 9l7 7 7-7',
  coupon:
    'M4 6h16a1 1 0 0 1 1 1v2.6a2.5 2.5 0 0 0 0 4.8V17a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-2.6a2.5 2.5 0 0 0 0-4.8V7a1 1 0 0 1 1-1m10 0v2m0 3v2m0 3v2',
  delete: 'M9 6h10a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H9l-6-6 6-6m3 4 4 4m0-4-4 4',
  device: 'M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2m3 15h2',
  download: 'M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M5 19.5h14',
  gift: 'M4 11h16v9H4zM3 7h18v4H3zM12 7v13M12 7S10.5 3 8 3a2 2 0 0 0 0 4zm0 0s1.5-4 4-4a2 2 0 0 1 0 4z',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  lock: 'M7 11h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2m1 0V8a4 4 0 1 1 8 0v3m-4 4v2',
  pause: 'M8 5v14m8-14v14',
  plans: 'M12 3 21 8l-9 5-9-5zm-9 9 9 5 9-5M3 16l9 5 9-5',
  play: 'M8 5.5v13l10-6.5z',
  plus: 'M12 5v14M5 12h14',
  shield: 'M12 3 20 6v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zm-3.5 9 2.5 2.5 4.5-4.5',
  star: 'M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9L3.5 9.7l5.9-.8z',
  stop: 'M7 6h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1',
  user: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8M4.5 20.5a7.5 7.5 0 0 1 15 0',
  users:
    'M9 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7M2.5 20a6.5 6.5 0 0 1 13 0M16 4.8a3.5 3.5 0 0 1 0 6.4m1.8 2.6a6.5 6.5 0 0 1 3.7 6.2',
  wallet:
    'M5 6h13a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h11v2m4 5h-5a2.5 2.5 0 0 0 0 5h5',
} as const;

export type MoreIconName = keyof typeof more;

addIcons(more);
