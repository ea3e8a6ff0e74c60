/*
 * What a phone loads: the gzipped JS and CSS of the build in dist. Fails above the marks.
 *
 * A page's own weight is what it adds to the login page and to the parts that pages behind the
 * login share; a page that is never opened costs nothing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const marks = { login: 143_000, page: 45_000 };
const dist = join(import.meta.dirname, '../dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const named = Object.keys(manifest);

/** A file and everything it imports, without what it loads later. */
function filesOf(name, found = new Set(), seen = new Set()) {
  if (seen.has(name)) return found;
  seen.add(name);
  const { file, css = [], imports = [] } = manifest[name];
  for (const one of [file, ...css]) found.add(one);
  for (const one of imports) filesOf(one, found, seen);
  return found;
}

const weights = new Map();
function weigh(file) {
  const known = weights.get(file);
  if (known !== undefined) return known;
  const weight = gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
  weights.set(file, weight);
  return weight;
}

const sum = (files) => [...files].reduce((total, file) => total + weigh(file), 0);
const only = (pattern) => {
  const name = named.find((one) => pattern.test(one));
  if (!name) throw new Error(`the build has no ${pattern}`);
  return name;
};
const union = (...names) => names.flatMap((name) => [...filesOf(name)]);
const without = (files, taken) => [...files].filter((file) => !taken.has(file));

const languages = named.flatMap((name) => /(\w+)\.json\?first$/.exec(name)?.[1] ?? []);
const written = readdirSync(join(import.meta.dirname, '../../locales')).filter((file) =>
  file.endsWith('.json'),
);
if (languages.length !== written.length) throw new Error(`texts of ${languages.length} languages`);
// build/chunks.ts puts the start and the login page into the same file as the shell.
const shell = new Set(filesOf(only(/^_first-(?!libraries-).+\.js$/)));
const logins = languages.map((lang) => ({
  lang,
  weight: sum(shell) + sum(filesOf(only(RegExp(`/${lang}\\.json\\?first$`)))),
}));
const heaviest = logins.reduce((one, other) => (other.weight > one.weight ? other : one));

function shared(pattern, least, taken) {
  const parts = named.filter((one) => pattern.test(one));
  if (parts.length < least) throw new Error(`only ${parts.length} shared files: ${pattern}`);
  return without(new Set(union(...parts)), taken);
}
const signedIn = shared(/^_(shared|data)-.*\.js$|app\/data\.ts$/, 3, shell);
const further = shared(/^_further-.*\.js$/, 2, new Set([...shell, ...signedIn]));
const texts = languages.map((lang) => sum(filesOf(only(RegExp(`/${lang}\\.json\\?rest$`)))));
const known = new Set([...shell, ...signedIn, ...further]);
const pages = named
  .filter((name) => /\/features\/.*Page\.tsx$/.test(name) && manifest[name].isDynamicEntry)
  .filter((name) => !name.endsWith('/LoginPage.tsx'))
  .map((name) => ({
    page: /(\w+)\.tsx$/.exec(name)[1],
    weight: sum(without(filesOf(name), known)),
  }))
  .sort((one, other) => other.weight - one.weight);
if (pages.length < 20) throw new Error(`only ${pages.length} pages found in the build`);

const line = (name, weight, mark) =>
  `${name.padEnd(34)} ${(weight / 1000).toFixed(1).padStart(6)} KB${mark ? ` of ${mark / 1000} KB` : ''}`;
console.log(line(`login, in its longest language, ${heaviest.lang}`, heaviest.weight, marks.login));
console.log(line('shared by all behind the login', sum(signedIn)));
console.log(line('shared by those behind the tabs', sum(further)));
console.log(line('their texts, in the longest', Math.max(...texts)));
for (const { page, weight } of pages) console.log(line(page, weight, marks.page));

const heavy = pages.filter(({ weight }) => weight > marks.page).map(({ page }) => page);
if (heaviest.weight > marks.login) heavy.unshift('login');
if (heavy.length) {
  console.error(`above the mark: ${heavy.join(', ')}`);
  process.exit(1);
}
