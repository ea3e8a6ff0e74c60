const at = (path: string) => new URL(path, import.meta.url).pathname;

/** Where imports lead, in the app's build, its tests and the gallery. */
export const aliases = [
  { find: '@', replacement: at('../src') },
  // Icons and texts that react-vant shows unless it is given others. It is given others
  // everywhere: icons by the wrappers, texts by ui/Theme.tsx.
  { find: '@react-vant/icons', replacement: at('no-icons.ts') },
  { find: /^\.\.\/locale$/, replacement: at('no-texts.ts') },
];
