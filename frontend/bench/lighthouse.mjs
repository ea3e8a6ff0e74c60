/*
 * Lighthouse's mobile scores of four pages, the median of several first visits, compared with the
 * marks. Needs a running demonstration: `just run`, then `npm run bench:lighthouse`.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { base, launch, median, storage } from './browser.mjs';

const run = promisify(execFile);
const runs = Number(process.env.RUNS ?? 5);
const port = 9333;
const pages = [
  ['/login', false],
  ['/ad-center', true],
  ['/plan', true],
  ['/wallet', true],
];
const marks = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };

/** As on a first visit: signed in, but with nothing cached. */
async function prepare(browser, signedIn) {
  const page = await browser.newPage();
  await page.goto(`${base}/favicon.svg`);
  await page.evaluate(
    async (given) => {
      const workers = await navigator.serviceWorker.getRegistrations();
      await Promise.all(workers.map((worker) => worker.unregister()));
      await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
      localStorage.clear();
      for (const [key, value] of Object.entries(given)) localStorage.setItem(key, value);
    },
    await storage(signedIn),
  );
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await page.close();
}

async function measure(path) {
  const { stdout } = await run(
    'npx',
    [
      ...['-y', 'lighthouse@13.5.0', `${base}/#${path}`, `--port=${port}`],
      ...['--disable-storage-reset', '--output=json', '--quiet'],
      `--only-categories=${Object.keys(marks)}`,
    ],
    { maxBuffer: 64 << 20 },
  );
  return JSON.parse(stdout);
}

const browser = await launch({}, `--remote-debugging-port=${port}`);
let missed = false;
const complaints = new Set();
console.log(`${'page'.padEnd(12)} ${Object.keys(marks).join('  ')}`);
for (const [path, signedIn] of pages) {
  const scores = Object.fromEntries(Object.keys(marks).map((name) => [name, []]));
  for (let at = 0; at < runs; at += 1) {
    await prepare(browser, signedIn);
    const { categories, audits, finalDisplayedUrl } = await measure(path);
    if (!finalDisplayedUrl.endsWith(path)) throw new Error(`${path} led to ${finalDisplayedUrl}`);
    for (const name of Object.keys(marks)) {
      scores[name].push(Math.round(categories[name].score * 100));
      for (const { id, weight } of categories[name].auditRefs) {
        const { score, title } = audits[id];
        if (weight > 0 && score !== null && score < 0.9) complaints.add(`${path}: ${id}, ${title}`);
      }
    }
  }
  const shown = Object.entries(scores).map(([name, values]) => {
    const score = median(values);
    if (score < marks[name]) missed = true;
    return String(score).padStart(name.length);
  });
  console.log(`${path.padEnd(12)} ${shown.join('  ')}`);
}
for (const complaint of complaints) console.log(complaint);
await browser.close();
if (missed) process.exitCode = 1;
