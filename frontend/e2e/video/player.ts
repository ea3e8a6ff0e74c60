import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { script } from '../publishers/script.ts';

/** A player of the publisher’s own, in one script. What it has for streams and panoramas is not needed. */
export function playerScript() {
  const without = ['dashjs', 'hls.js', 'panolens', 'videojs-vtt.js'];
  return script(join(import.meta.dirname, 'entry.ts'), without);
}

export const film = readFileSync(join(import.meta.dirname, 'film.mp4'));

/**
 * Gives the bytes of the advertiser’s video. Videos come with the app, and the app brings none; all
 * else that a page with a player asks for comes from the server.
 */
export async function withFilm(page: Page) {
  await page.route('**/products/roastery.mp4', (route) =>
    route.fulfill({ contentType: 'video/mp4', body: film }),
  );
}
