// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const pictures = join(import.meta.dirname, '../../../public/products');
const sheet = readFileSync(join(import.meta.dirname, 'put/GoodsDetailPage.module.css'), 'utf8');

type Colour = readonly number[];

/** What is mixed of them, by opacity or in a gradient, is in no channel lighter than the lightest. */
function lightestOf(svg: string): Colour {
  const colours = [...svg.matchAll(/#([0-9a-f]{6}|[0-9a-f]{3})\b/gi)].map(([, hex = '']) => {
    const long = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex;
    return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
  });
  return [0, 1, 2].map((channel) => Math.max(...colours.map((colour) => colour[channel] ?? 0)));
}

/** Relative luminance, as WCAG defines it. */
function luminance(colour: Colour): number {
  const [r = 0, g = 0, b = 0] = colour.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The scrim is even down to the lower edge of the bar, and ends below it. */
function scrim() {
  const [, tone = '', alpha = '0'] =
    sheet.match(
      /linear-gradient\(\s*to bottom,\s*rgb\((\d+ \d+ \d+) \/ ([\d.]+)\) var\(--top\),\s*transparent/,
    ) ?? [];
  return { tone: tone.split(' ').map(Number), alpha: Number(alpha) };
}

it.each(readdirSync(pictures))('white text can be read on the picture %s', (name) => {
  const { tone, alpha } = scrim();
  const picture = lightestOf(readFileSync(join(pictures, name), 'utf8'));
  const below = picture.map((channel, at) => channel * (1 - alpha) + (tone[at] ?? 0) * alpha);
  expect(1.05 / (luminance(below) + 0.05)).toBeGreaterThanOrEqual(4.5);
});
