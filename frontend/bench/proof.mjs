/*
 * How long a phone takes for a year of a busy user: twelve files with 24,000 bills each, and as many lines of the
 * screen. The page's own check runs in Chromium, slowed four times, with as many workers as there are cores and with
 * one. There is no network: the page has the server's answers.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'vite';
import { launch } from './browser.mjs';

const [slowed, mark, least] = [4, 10_000, 4];
const types = { '.html': 'text/html', '.js': 'text/javascript' };

async function built() {
  const outDir = await mkdtemp(join(tmpdir(), 'placard-proof-page-'));
  const configFile = join(import.meta.dirname, 'proof-page/vite.config.ts');
  await build({ configFile, build: { outDir } });
  return outDir;
}

function serve(folder) {
  const server = createServer(({ url }, response) => {
    const path = url === '/' ? '/index.html' : url;
    try {
      const body = readFileSync(join(folder, path));
      response.writeHead(200, { 'Content-Type': types[extname(path)] ?? 'text/plain' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const server = await serve(await built());
const browser = await launch();
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const { bills, cores, bytes } = await page.evaluate(() => {
    const { make, cores, bills } = window.proofs;
    return { bills, cores, bytes: make() };
  });
  console.log(`${bills} transactions, ${(bytes / 1e6).toFixed(0)} MB`);
  const devtools = await browser.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowed });
  const run = async (workers) => {
    const { milliseconds, shown } = await page.evaluate((one) => window.proofs.run(one), workers);
    const seconds = (milliseconds / 1000).toFixed(1);
    console.log(
      `${workers} at once: ${seconds} s slowed ${slowed} times, progress shown ${shown} times`,
    );
    if (shown < least) throw new Error('no progress was shown');
    return milliseconds;
  };
  await run(1);
  const phone = await run(cores);
  console.log(`${(phone / 1000).toFixed(1)} s of ${mark / 1000} s`);
  if (phone > mark) process.exitCode = 1;
} finally {
  await browser.close();
  server.close();
}
