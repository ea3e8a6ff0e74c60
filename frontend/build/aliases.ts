const at = (path: string) => new URL(path, import.meta.url).pathname;

/** Where imports lead, in the app's build, its tests and the gallery. */
export const aliases = [
  { find: '@', replacement: at('../src') },
  // Icons that react-vant shows unless it is given others. The wrappers give others everywhere.
  { find: '@react-vant/icons', replacement: at('no-icons.ts') },
];
