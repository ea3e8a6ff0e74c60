/*
 * Draws the icons of the installed app from public/favicon.svg, with the browser that the tests use.
 * Run `npm run icons` after changing it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

const folder = join(import.meta.dirname, '../public');
const sign = readFileSync(join(folder, 'favicon.svg'), 'utf8');
// A mask may cut off up to a tenth on each side, so the background fills the icon and the sign is
// smaller.
const rect = /<rect [^>]*rx="14"[^>]*\/>/;
const ground = rect.exec(sign)?.[0].replace(' rx="14"', '');
const full = sign
  .replace(rect, `${ground}<g transform="translate(4.8 4.8) scale(.8)">`)
  .replace('</svg>', '</g></svg>');
const pictures = [
  ['icon-192.png', 192, sign],
  ['icon-512.png', 512, sign],
  ['icon-maskable-512.png', 512, full],
  ['apple-touch-icon.png', 180, full],
];

const browser = await chromium.launch({
  executablePath: process.env.PLACARD_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
for (const [name, size, svg] of pictures) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const sized = svg.replace(
    '<svg ',
    `<svg width="${size}" height="${size}" style="display:block" `,
  );
  await page.setContent(`<body style="margin:0;background:transparent">${sized}</body>`);
  await page.screenshot({ path: join(folder, name), omitBackground: true });
  await page.close();
}
await browser.close();
