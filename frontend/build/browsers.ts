import { readFileSync } from 'node:fs';

const { browserslist } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { browserslist: string[] };

/** The oldest browsers served, as the bundler names them: `chrome107`, `ios15.6`. */
export const oldestBrowsers = browserslist.map((one) => {
  const [name = '', version = ''] = one.split(' >= ');
  return `${name === 'ios_saf' ? 'ios' : name}${version}`;
});
